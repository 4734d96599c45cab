// Opens a session with a configured server, over any transport and in either era.
import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import { type LiveServer, serveMemory } from '@tidings/live';
import type { ListName } from '@tidings/live/internal';
import { version } from '@tidings/live/version';
import type { ServerEntry } from '../config/config.ts';
import type { EraMemory } from './era-memory.ts';
import { GapLimit } from './gap-limit.ts';
import { HealthCheck } from './health-check.ts';
import { HttpChannel, type HttpDeps } from './http/http-channel.ts';
import { ProcessTransport } from './process/process-transport.ts';
import type { ProcessDeps } from './process/server-process.ts';
import { type CallListener, RunningCalls } from './running-calls.ts';
import { type SessionClient, present } from './session-client.ts';
import type { Era, OpenSession, Session, SessionEvents } from './session.ts';
import type { Pulse } from './http/stream-pulse.ts';
import { UnknownNames } from './unknown-names.ts';
import { isUnreadable } from './unreadable-message.ts';

export type Builtins = Readonly<Record<string, () => LiveServer | Promise<LiveServer>>>;

export interface SessionDeps extends ProcessDeps, HttpDeps {
  builtins: Builtins;
  eras: EraMemory;
  /** The known interval of comments on this server's streams. */
  pulse: Pulse;
  /** How long the handshake may take. */
  connectMs: number;
}

/** A 2025-era server may leave the probe for the modern era unanswered. */
const probeMs = 3000;
const streamPatienceMs = 3000;
/** How long the attempt in the other era may take. */
const secondTryMs = 5000;
/** Capabilities, name and instructions are kept for the whole session. */
const maxIntroduction = 256 * 1024;
const reportedErrors = 100;
/** Notifications of the protocol that say nothing of resources. */
const otherMethods = new Set([
  'notifications/elicitation/complete',
  'notifications/tasks',
  'notifications/tasks/status',
]);

export function sessionOpener(entry: ServerEntry, deps: SessionDeps): OpenSession {
  return async (signal, events, { handshakeMs = deps.connectMs, client }) => {
    // A process may take longer to start.
    const connectMs = 'url' in entry ? Math.min(handshakeMs, deps.connectMs) : deps.connectMs;
    const known = deps.eras.get(entry);
    const attempt = new Attempt(entry, { ...deps, connectMs }, events, client);
    try {
      return await attempt.open(signal, { era: known, isRemembered: true });
    } catch (error) {
      // The remembered era is only a hint: after any failure the server is probed again.
      if (known !== undefined) deps.eras.doubt(entry);
      const failure = attempt.hasEnded ? 'ended' : failureOf(error);
      const other = otherWay(known, failure, deps.eras.seen(entry)?.era);
      if (signal.aborted || other === undefined) throw error;
      const patience = { ...deps, connectMs: Math.min(connectMs, secondTryMs) };
      return await new Attempt(entry, patience, events, client).open(signal, other);
    }
  };
}

/** In which era to connect, and whether success proves that the server speaks it. */
interface Way {
  /** Undefined: the server is probed. */
  era: 'legacy' | undefined;
  isRemembered: boolean;
}

type Failure = 'ended' | 'silent' | 'unreachable' | 'refused';

/** The other way that is worth trying at once, if any. */
function otherWay(known: 'legacy' | undefined, failure: Failure, seen: Era | undefined): Way | undefined {
  // It answered, but not as a 2025-era server does.
  if (known === 'legacy') return failure === 'refused' ? { era: undefined, isRemembered: true } : undefined;
  // Some 2025-era servers exit at an unknown request: then the probe was the cause.
  if (failure === 'ended') return { era: 'legacy', isRemembered: true };
  // Others do not answer the probe. But a slow start is silent too, and must not be remembered as the 2025 era.
  return failure === 'silent' && seen !== 'modern' ? { era: 'legacy', isRemembered: false } : undefined;
}

function failureOf(error: unknown): Failure {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return 'silent';
  if (!(error instanceof Error)) return 'refused';
  return error instanceof TypeError || error.cause instanceof TypeError ? 'unreachable' : 'refused';
}

/** One attempt to open a session, with its own client and transport. */
class Attempt {
  readonly #entry: ServerEntry;
  readonly #deps: SessionDeps;
  readonly #events: SessionEvents;
  readonly #presented: SessionClient | undefined;
  #http: HttpChannel | undefined;
  #health: HealthCheck | undefined;
  readonly #unreadable: GapLimit;
  readonly #unknown: UnknownNames;
  #isOpen = false;
  #messageAt = 0;
  /** Forwarded requests without an answer, oldest first, by their start. */
  readonly #works = new Map<object, number>();
  readonly #calls = new RunningCalls();
  /** Whether the server's process ended during the handshake. */
  hasEnded = false;

  constructor(entry: ServerEntry, deps: SessionDeps, events: SessionEvents, presented?: SessionClient) {
    this.#entry = entry;
    this.#deps = deps;
    this.#events = events;
    this.#presented = presented;
    const gap = () => this.#ifOpen(() => events.gap());
    this.#unreadable = new GapLimit(deps.clock, gap);
    this.#unknown = new UnknownNames(deps.clock, gap);
  }

  async open(signal: AbortSignal, way: Way): Promise<Session> {
    const transport = await this.#transport();
    const client = this.#client();
    const era = await this.#connect(client, transport, signal, way);
    if (era === 'legacy') await this.#http?.stream.settled(streamPatienceMs);
    else this.#http?.stream.stop();
    this.#isOpen = true;
    const reached = { client, era, transport: kindOf(this.#entry) } as const;
    const health = this.#watchHealth(reached, transport);
    let reported = 0;
    client.onerror = (error) => {
      if (isUnreadable(error)) this.#unreadable.report();
      // A server that sends only invalid messages must not fill the log.
      reported += 1;
      if (reported > reportedErrors) return;
      this.#deps.log.info({ error }, 'A message could not be read or sent.');
    };
    const http = this.#http;
    return {
      ...reached,
      pid: transport instanceof ProcessTransport ? (transport.pid ?? undefined) : undefined,
      capabilities: client.getServerCapabilities() ?? {},
      get delivery() {
        return era === 'legacy' && http !== undefined ? http.stream.delivery : 'open';
      },
      heardAt: () => http?.pulse.heardAt ?? this.#messageAt,
      expectNotifications: (isExpecting) => health.expect(isExpecting),
      checkHealth: () => health.checkNow(),
      work: (on, listener) => this.#work(client, on, listener),
      fail: (reason) => this.#lose(reason),
      close: async () => {
        health.stop();
        this.#unreadable.stop();
        this.#unknown.stop();
        this.#isOpen = false;
        await http?.end();
        await client.close();
        await transport.close();
      },
    };
  }

  async #connect(client: Client, transport: Transport, signal: AbortSignal, way: Way): Promise<Era> {
    const { clock, connectMs, eras } = this.#deps;
    const started = clock.now();
    // The client keeps this handler and calls it first.
    transport.onmessage = () => void (this.#messageAt = clock.now());
    client.onclose = () => this.#closed(transport);
    // Otherwise the client would wait for an answer first.
    const giveUp = () => void transport.close();
    signal.addEventListener('abort', giveUp);
    try {
      const prior = way.era === undefined ? {} : { prior: { kind: way.era } };
      await client.connect(transport, { ...prior, timeout: connectMs, signal });
    } catch (error) {
      this.hasEnded = transport instanceof ProcessTransport && transport.isClosed;
      this.#http?.stream.stop();
      await transport.close();
      throw this.hasEnded && transport instanceof ProcessTransport ? new Error(transport.reason) : error;
    }
    signal.removeEventListener('abort', giveUp);
    await refuseLargeIntroduction(client, transport);
    this.#messageAt = clock.now();
    const era = client.getProtocolEra() === 'modern' ? 'modern' : 'legacy';
    const isSure = era === 'modern' || (way.isRemembered && clock.now() - started < probeMs);
    if (isSure) eras.set(this.#entry, era);
    return era;
  }

  #watchHealth(reached: Pick<Session, 'client' | 'era' | 'transport'>, transport: Transport): HealthCheck {
    this.#health = new HealthCheck(
      {
        ...reached,
        busySince: () => this.#works.values().next().value,
        messageAt: () => this.#messageAt,
        recovered: (since) => {
          this.#http?.renewSilent(since);
          if (transport instanceof ProcessTransport) transport.resend();
        },
        lost: (reason) => this.#lose(reason),
      },
      this.#deps,
    );
    return this.#health;
  }

  async #work<T>(client: Client, on: (client: Client) => Promise<T>, listener?: CallListener): Promise<T> {
    const work = {};
    this.#works.set(work, this.#deps.clock.now());
    try {
      return await (listener ? this.#calls.run(listener, () => on(client)) : on(client));
    } finally {
      this.#works.delete(work);
    }
  }

  #client(): Client {
    const client = new Client(
      { name: 'tidings', version },
      {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(probeMs, this.#deps.connectMs) } },
        ...(this.#presented && { capabilities: this.#presented.capabilities }),
      },
    );
    if (this.#presented) present(client, this.#presented);
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      if (!this.#events.updated(params.uri)) this.#unknown.report(params.uri);
    });
    client.setNotificationHandler('notifications/message', ({ params }) => this.#calls.logged(params));
    client.fallbackRequestHandler = async ({ method }) => {
      this.#calls.asked(method);
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `This client does not answer "${method}".`);
    };
    client.fallbackNotificationHandler = async ({ method }) => {
      if (!otherMethods.has(method)) this.#unknown.report(method);
    };
    for (const list of ['resources', 'tools', 'prompts'] as const satisfies readonly ListName[]) {
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => this.#events.listChanged(list));
    }
    return client;
  }

  async #transport(): Promise<Transport> {
    const entry = this.#entry;
    if ('command' in entry) return new ProcessTransport(entry, this.#deps);
    if ('url' in entry) {
      this.#http = new HttpChannel(entry, this.#deps.pulse, this.#deps, {
        gap: () => this.#ifOpen(() => this.#events.gap()),
        unreadable: () => this.#unreadable.report(),
        deliveryChanged: () => this.#ifOpen(() => this.#events.deliveryChanged()),
        sessionGone: () => this.#lose('The server does not know the session any more; it was probably restarted.'),
        streamStuck: () => this.#lose('The server takes a dead notification stream of this session for open.'),
        streamTooLarge: () =>
          this.#lose('The server sent a message on its notification stream that exceeds the size limit.'),
        failed: () => this.#health?.checkNow(),
      });
      return this.#http.transport;
    }
    const create = this.#deps.builtins[entry.builtin];
    if (create === undefined) {
      const names = Object.keys(this.#deps.builtins).join(', ') || 'none';
      throw new Error(`There is no built-in server "${entry.builtin}". Built in: ${names}.`);
    }
    return serveMemory(await create());
  }

  #closed(transport: Transport): void {
    this.#lose(transport instanceof ProcessTransport ? transport.reason : 'The server closed the connection.');
  }

  #ifOpen(tell: () => void): void {
    if (this.#isOpen) tell();
  }

  #lose(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#events.lost(reason);
  }
}

function kindOf(entry: ServerEntry): Session['transport'] {
  return 'command' in entry ? 'stdio' : 'url' in entry ? 'http' : 'memory';
}

async function refuseLargeIntroduction(client: Client, transport: Transport): Promise<void> {
  const introduction = [client.getServerCapabilities(), client.getServerVersion(), client.getInstructions()];
  if (JSON.stringify(introduction).length <= maxIntroduction) return;
  await transport.close();
  throw new Error(
    `The server introduces itself with more than ${maxIntroduction / 1024} KB of capabilities and instructions: they must be shorter.`,
  );
}
