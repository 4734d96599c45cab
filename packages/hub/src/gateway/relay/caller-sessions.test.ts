// Calls on sessions of their own, with servers that are played by the tests.
import { Client, type ClientCapabilities, isInputRequiredResult } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import type { OwnSession, Upstream } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { CallerSessions, type SessionServer } from './caller-sessions.ts';
import { MethodRelay, type RelayedCall } from './method-relay.ts';
import type { RelayedContext } from './relayed-request.ts';

type OwnOptions = Parameters<Upstream['openOwn']>[0];

interface Said {
  text: string;
}

/** A 2025-era server that asks for a name in every call, on sessions that the test can count. */
class AskingServer {
  readonly open = new Set<OwnSession>();
  readonly capabilities: ClientCapabilities[] = [];
  opened = 0;
  readonly upstream: SessionServer = { id: 'asking', openOwn: (options) => this.#open(options) };
  readonly view: RelayedCall<Said>['view'] = { use: (work) => work(newClient()) };
  readonly #sessions = new Map<Client, OwnOptions>();

  /** What `send` does: asks as often as the call wants. */
  async call(client: Client, signal: AbortSignal, times: number, tag: string): Promise<Said> {
    const session = this.#sessions.get(client) ?? expect.fail('The call is on the shared session.');
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
  subject?: string;
  times?: number;
  answers?: Record<string, unknown>;
  state?: string;
  capabilities?: ClientCapabilities;
  signal?: AbortSignal;
}

function contextOf({ name, subject, answers, state, capabilities = { elicitation: {} }, signal }: Ask): RelayedContext {
  return {
    caller: { era: 'modern', transport: 'http', ...(subject !== undefined && { auth: { subject } }) },
    client: { capabilities, info: { name, version: '1' }, logLevel: undefined, notify: undefined },
    mcpReq: {
      signal: signal ?? new AbortController().signal,
      ...(answers && { inputResponses: answers }),
      requestState: () => state,
      notify: async () => undefined,
    },
  };
}

function fixture() {
  const clock = new FakeClock();
  const sessions = new CallerSessions(clock);
  const relay = new MethodRelay<Said>({ clock, sessions, failureIn: () => undefined });
  const server = new AskingServer();
  relay.asks(server.upstream);
  const request = (ask: Ask) =>
    relay.request({
      upstream: server.upstream,
      view: server.view,
      context: contextOf(ask),
      name: 'tool',
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

async function questionsOf(answering: Promise<Said | object>) {
  const result = await answering;
  if (!isInputRequiredResult(result)) throw new Error(`No questions: ${JSON.stringify(result)}`);
  const [key = ''] = Object.keys(result.inputRequests ?? {});
  return { key, state: result.requestState ?? '', message: JSON.stringify(result.inputRequests) };
}

describe('a call that asks', () => {
  it('continues with the answer of its caller, and leaves one unused session for a while', async () => {
    const { clock, sessions, relay, server, request } = fixture();
    const { key, state } = await questionsOf(request({ name: 'a' }));
    expect(await request({ name: 'a', state, answers: { [key]: { action: 'accept' } } })).toEqual({
      text: 'a {"action":"accept"}',
    });
    expect(server.capabilities).toEqual([{ elicitation: {} }]);
    expect([relay.held, sessions.size]).toEqual([0, 1]);
    clock.advance(30_000);
    await Promise.resolve();
    expect([sessions.size, server.open.size]).toEqual([0, 0]);
  });

  it('leaves nothing behind a minute after its caller vanished', async () => {
    const { clock, sessions, relay, server, request } = fixture();
    await questionsOf(request({ name: 'a' }));
    expect([relay.held, sessions.size, server.open.size]).toEqual([1, 1, 1]);
    clock.advance(60_000);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([relay.held, sessions.size, server.open.size]).toEqual([0, 0, 0]);
  });

  it('ends at once when its caller cancels it', async () => {
    const { relay, server, request, sessions } = fixture();
    const { key, state } = await questionsOf(request({ name: 'a', times: 2 }));
    const leaving = new AbortController();
    const second = request({ name: 'a', state, answers: { [key]: {} }, signal: leaving.signal });
    leaving.abort();
    await expect(second).rejects.toThrow('cancelled');
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([relay.held, sessions.size, server.open.size]).toEqual([0, 0, 0]);
  });

  it('may ask eight times', async () => {
    const { relay, request, sessions } = fixture();
    let { key, state } = await questionsOf(request({ name: 'a', times: 100 }));
    for (let round = 2; round <= 8; round += 1) {
      ({ key, state } = await questionsOf(request({ name: 'a', state, answers: { [key]: {} } })));
    }
    await expect(request({ name: 'a', state, answers: { [key]: {} } })).rejects.toThrow('asked 8 times');
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([relay.held, sessions.size]).toEqual([0, 0]);
  });

  it('is lost to other callers, to repeated answers, and after a restart, which is said', async () => {
    const { request } = fixture();
    const { key, state } = await questionsOf(request({ name: 'a', subject: 'ada', times: 2 }));
    const answers = { [key]: {} };
    await expect(request({ name: 'a', subject: 'bob', state, answers })).rejects.toMatchObject({ code: -32602 });
    const second = await questionsOf(request({ name: 'a', subject: 'ada', state, answers }));
    await expect(request({ name: 'a', subject: 'ada', state, answers })).rejects.toThrow('no call here that waits');
    const earlier = second.state.replace(/^tidings-held\.\w+/, 'tidings-held.0a1b2c3d4e5f');
    await expect(request({ name: 'a', subject: 'ada', state: earlier, answers })).rejects.toThrow('was restarted');
  });

  it('gives way to new calls of a caller that has too many, and only of that caller', async () => {
    const { relay, server, request } = fixture();
    const kept = await questionsOf(request({ name: 'b', subject: 'bob' }));
    for (let n = 0; n < 20; n += 1) await questionsOf(request({ name: 'a', subject: 'ada' }));
    expect(server.open.size).toBe(17);
    expect(relay.held).toBe(17);
    const answers = { [kept.key]: {} };
    expect(await request({ name: 'b', subject: 'bob', state: kept.state, answers })).toEqual({ text: 'b {}' });
  });
});

describe('two callers on one server', () => {
  it('never see questions of each other, in 1000 interleavings', async () => {
    const { relay, request, server } = fixture();
    // A small generator, so that a failure can be repeated.
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const callers = [
      { name: 'ada', subject: 'ada', capabilities: { elicitation: {} } },
      { name: 'bob', subject: 'bob', capabilities: { elicitation: {}, sampling: {} } },
    ];
    for (let n = 0; n < 1000; n += 1) {
      const running = [0, 1, random(2)].map(async (which) => {
        const caller = callers[which] ?? expect.fail();
        const times = 1 + random(2);
        let answer = await request({ ...caller, times });
        while (isInputRequiredResult(answer)) {
          const requests = Object.entries(answer.inputRequests ?? {});
          for (const [, asked] of requests) expect(asked).toMatchObject({ params: { message: caller.name } });
          for (let turn = random(30); turn > 0; turn -= 1) await Promise.resolve();
          const answers = Object.fromEntries(requests.map(([key]) => [key, { by: caller.name }]));
          answer = await request({ ...caller, times, state: answer.requestState ?? '', answers });
        }
        expect(answer).toEqual({
          text: [caller.name, ...Array<string>(times).fill(`{"by":"${caller.name}"}`)].join(' '),
        });
      });
      await Promise.all(running);
    }
    expect(relay.held).toBe(0);
    // Each caller has a session or two, which are used again and again.
    expect(server.opened).toBeLessThanOrEqual(4);
  });
});
