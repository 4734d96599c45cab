// A relay with a 2025-era server that asks for a name in every call, for tests of calls and their sessions.
import { randomBytes, randomUUID } from 'node:crypto';
import { Client, type ClientCapabilities, ProtocolError, isInputRequiredResult } from '@modelcontextprotocol/client';
import type { PlainContext } from '@tidings/live/internal';
import { FakeClock } from '@tidings/live/testing';
import type { Upstream } from '@tidings/track';
import type { OwnSession } from '@tidings/track/internal';
import { CallerSessions } from '../gateway/relay/caller-sessions.ts';
import { MethodRelay, type RelayedCall } from '../gateway/relay/method-relay.ts';
import type { SessionServer } from '../gateway/relay/pooled-session.ts';

type OwnOptions = Parameters<Upstream['openOwn']>[0];

export interface Said {
  text: string;
}

export const stdioEntry = { id: 'asking', command: 'asking', args: [], env: {}, enabled: true, trackResources: false };
export const httpEntry = {
  id: 'asking',
  url: 'http://asking.example/mcp',
  headers: {},
  enabled: true,
  trackResources: false,
};

/** A 2025-era server that asks for a name in every call, on sessions that the test can count. */
class AskingServer {
  /** Calls on the shared session, which fail since it cannot be asked. */
  shared = 0;
  readonly open = new Set<OwnSession>();
  readonly capabilities: ClientCapabilities[] = [];
  opened = 0;
  readonly upstream: SessionServer & { sendsRequests: boolean };
  readonly view: RelayedCall<Said>['view'] = { use: (work) => work(newClient()) };
  readonly #sessions = new Map<Client, OwnOptions>();

  constructor(entry: SessionServer['entry'] = stdioEntry) {
    this.upstream = {
      id: 'asking',
      entry,
      sendsRequests: true,
      isReachedByNode: false,
      noteClientRequest: () => void (this.upstream.sendsRequests = true),
      openOwn: (options) => this.#open(options),
    };
  }

  /** What `send` does: asks as often as the call wants. */
  async call(client: Client, signal: AbortSignal, times: number, tag: string): Promise<Said> {
    const session = this.#sessions.get(client);
    if (session === undefined) {
      this.shared += 1;
      throw new ProtocolError(-32603, 'Client does not support form elicitation.');
    }
    const names: string[] = [];
    for (let n = 0; n < times; n += 1) {
      const params = {
        mode: 'form' as const,
        message: tag,
        requestedSchema: { type: 'object' as const, properties: {} },
      };
      const answer = await session.asked({ method: 'elicitation/create', params }, signal);
      names.push(JSON.stringify(answer));
    }
    return { text: `${tag} ${names.join(' ')}` };
  }

  async #open(options: OwnOptions): Promise<OwnSession> {
    this.opened += 1;
    this.capabilities.push(options.capabilities);
    const client = newClient();
    this.#sessions.set(client, options);
    const session: OwnSession = {
      era: 'legacy',
      capabilities: {},
      work: (on) => on(client),
      watchTasks: async () => ({ taskIds: [], end: () => undefined }),
      close: async () => void this.open.delete(session),
    };
    this.open.add(session);
    return session;
  }
}

/** The SDK's, which is not connected and so has no era. */
function newClient(): Client {
  return new Client({ name: 'test', version: '1.0.0' });
}

interface Ask {
  name: string;
  /** Of a 2025-era client. */
  client?: FakeSession;
  subject?: string;
  times?: number;
  answers?: Record<string, unknown>;
  state?: string;
  capabilities?: ClientCapabilities;
  signal?: AbortSignal;
}

/** The session of a 2025-era client with the hub. */
export class FakeSession {
  readonly id = randomUUID();
  readonly #listeners = new Set<() => void>();

  readonly onClosed = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  close(): void {
    for (const listener of this.#listeners) listener();
  }
}

export function contextOf(ask: Ask): PlainContext {
  const { name, subject, answers, state, capabilities = { elicitation: {} }, signal, client } = ask;
  return {
    caller: {
      era: client ? 'legacy' : 'modern',
      transport: 'http',
      ...(subject !== undefined && { auth: { subject } }),
    },
    client: {
      capabilities,
      info: { name, version: '1' },
      logLevel: undefined,
      notify: undefined,
      onClosed: client?.onClosed,
    },
    ...(client && { sessionId: client.id }),
    log: () => undefined,
    mcpReq: {
      signal: signal ?? new AbortController().signal,
      ...(answers && { inputResponses: answers }),
      requestState: () => state,
      notify: async () => undefined,
    },
  };
}

export function relayFixture(entry?: SessionServer['entry'], { isRepeatable = false, key = randomBytes(32) } = {}) {
  const clock = new FakeClock();
  const sessions = new CallerSessions(clock);
  const relay = new MethodRelay<Said>({ clock, key, sessions, patienceMs: () => 60_000, failureIn: () => undefined });
  const server = new AskingServer(entry);
  const request = (ask: Ask) =>
    relay.request({
      upstream: server.upstream,
      view: server.view,
      context: contextOf(ask),
      name: 'tool',
      isRepeatable,
      send: (client, _params, { signal }) =>
        server.call(client, signal ?? AbortSignal.abort(), ask.times ?? 1, ask.name),
    });
  /** Until something was answered; questions are gathered for a moment. */
  const settled = async <T>(answering: Promise<T>): Promise<T> => {
    const state = { isDone: false };
    void answering.catch(() => undefined).then(() => (state.isDone = true));
    while (!state.isDone) {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      if (!state.isDone) clock.advance(20);
    }
    return answering;
  };
  return { clock, sessions, relay, server, request: (ask: Ask) => settled(request(ask)) };
}

export async function questionsOf(answering: Promise<Said | object>) {
  const result = await answering;
  if (!isInputRequiredResult(result)) throw new Error(`No questions: ${JSON.stringify(result)}`);
  const [key = ''] = Object.keys(result.inputRequests ?? {});
  return { key, state: result.requestState ?? '', message: JSON.stringify(result.inputRequests) };
}
