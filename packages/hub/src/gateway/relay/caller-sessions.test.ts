// Calls on sessions of their own, with servers that are played by the tests.
import { Client, type ClientCapabilities, ProtocolError, isInputRequiredResult } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import type { Upstream } from '@tidings/track';
import type { OwnSession } from '@tidings/track/internal';
import { randomBytes, randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { PlainContext } from '@tidings/live/internal';
import { nodePrincipal } from '../../access/node-principal.ts';
import { CallerSessions } from './caller-sessions.ts';
import type { SessionServer } from './pooled-session.ts';
import { MethodRelay, type RelayedCall } from './method-relay.ts';

type OwnOptions = Parameters<Upstream['openOwn']>[0];

interface Said {
  text: string;
}

const stdio = { id: 'asking', command: 'asking', args: [], env: {}, enabled: true, trackResources: false };
const overHttp = { id: 'asking', url: 'http://asking.example/mcp', headers: {}, enabled: true, trackResources: false };

/** A 2025-era server that asks for a name in every call, on sessions that the test can count. */
class AskingServer {
  /** Calls on the shared session, which fail since it cannot be asked. */
  shared = 0;
  readonly open = new Set<OwnSession>();
  readonly capabilities: ClientCapabilities[] = [];
  opened = 0;
  readonly upstream: SessionServer & { asks: boolean };
  readonly view: RelayedCall<Said>['view'] = { use: (work) => work(newClient()) };
  readonly #sessions = new Map<Client, OwnOptions>();

  constructor(entry: SessionServer['entry'] = stdio) {
    this.upstream = {
      id: 'asking',
      entry,
      asks: true,
      isReachedByNode: false,
      noteAsks: () => void (this.upstream.asks = true),
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
class FakeSession {
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

function contextOf(ask: Ask): PlainContext {
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

function fixture(entry?: SessionServer['entry'], { isRepeatable = false, key = randomBytes(32) } = {}) {
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

async function questionsOf(answering: Promise<Said | object>) {
  const result = await answering;
  if (!isInputRequiredResult(result)) throw new Error(`No questions: ${JSON.stringify(result)}`);
  const [key = ''] = Object.keys(result.inputRequests ?? {});
  return { key, state: result.requestState ?? '', message: JSON.stringify(result.inputRequests) };
}

describe('a call that asks', () => {
  it('continues with the answer of its caller, and keeps one unused session for ten minutes', async () => {
    const { clock, sessions, relay, server, request } = fixture();
    const { key, state } = await questionsOf(request({ name: 'a' }));
    expect(await request({ name: 'a', state, answers: { [key]: { action: 'accept' } } })).toEqual({
      text: 'a {"action":"accept"}',
    });
    expect(server.capabilities).toEqual([{ elicitation: {} }]);
    expect([relay.held, sessions.size]).toEqual([0, 1]);
    clock.advance(10 * 60_000 - 1);
    await Promise.resolve();
    expect(sessions.size).toBe(1);
    clock.advance(1);
    await Promise.resolve();
    expect([sessions.size, server.open.size]).toEqual([0, 0]);
  });

  it('is freed a minute after its caller has vanished', async () => {
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

  it('may contain eight questions', async () => {
    const { relay, request, sessions } = fixture();
    let { key, state } = await questionsOf(request({ name: 'a', times: 100 }));
    for (let round = 2; round <= 8; round += 1) {
      ({ key, state } = await questionsOf(request({ name: 'a', state, answers: { [key]: {} } })));
    }
    await expect(request({ name: 'a', state, answers: { [key]: {} } })).rejects.toThrow('asked 8 times');
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([relay.held, sessions.size]).toEqual([0, 0]);
  });

  it('refuses answers of other callers, repeated answers, and answers after a restart', async () => {
    const signing = randomBytes(32);
    const { request } = fixture(stdio, { key: signing });
    const { key, state } = await questionsOf(request({ name: 'a', subject: 'ada', times: 2 }));
    const answers = { [key]: {} };
    await expect(request({ name: 'a', subject: 'bob', state, answers })).rejects.toMatchObject({ code: -32602 });
    const second = await questionsOf(request({ name: 'a', subject: 'ada', state, answers }));
    await expect(request({ name: 'a', subject: 'ada', state, answers })).rejects.toThrow('no call here that waits');
    // States of this node's next run, and of another hub.
    for (const later of [fixture(stdio, { key: signing }), fixture()]) {
      const again = later.request({ name: 'a', subject: 'ada', state: second.state, answers });
      await expect(again).rejects.toThrow('was restarted');
    }
  });

  it('is ended by new calls of a caller that has too many, and only of that caller', async () => {
    const { relay, server, request } = fixture();
    const kept = await questionsOf(request({ name: 'b', subject: 'bob' }));
    for (let n = 0; n < 20; n += 1) await questionsOf(request({ name: 'a', subject: 'ada' }));
    expect(server.open.size).toBe(16);
    expect(relay.held).toBe(16);
    const answers = { [kept.key]: {} };
    expect(await request({ name: 'b', subject: 'bob', state: kept.state, answers })).toEqual({ text: 'b {}' });
  });
});

describe('the session of a caller', () => {
  const plain = { name: 'a', times: 0 };

  it('is the same for all its calls, also of a modern client with roots', async () => {
    for (const entry of [stdio, overHttp]) {
      const { clock, server, request } = fixture(entry);
      const capabilities = { roots: {} };
      for (let n = 0; n < 5; n += 1) {
        await request({ ...plain, capabilities });
        clock.advance(5 * 60_000);
      }
      expect([server.shared, server.opened]).toEqual([0, 1]);
    }
  });

  it('ends with the session of a 2025-era client, or after half an hour without use', async () => {
    const { clock, server, request } = fixture();
    const [leaving, idle] = [new FakeSession(), new FakeSession()];
    await request({ ...plain, client: leaving });
    await request({ ...plain, client: idle });
    expect([server.opened, server.open.size]).toEqual([2, 2]);
    leaving.close();
    expect(server.open.size).toBe(1);
    clock.advance(30 * 60_000 - 1);
    expect(server.open.size).toBe(1);
    clock.advance(1);
    expect(server.open.size).toBe(0);
  });

  it('ends if the client leaves during the call', async () => {
    const { server, request, relay } = fixture();
    const client = new FakeSession();
    const { key, state } = await questionsOf(request({ name: 'a', client }));
    client.close();
    await request({ name: 'a', client, state, answers: { [key]: {} } });
    expect([relay.held, server.open.size]).toEqual([0, 0]);
  });

  it('is preferred after simultaneous calls, whose additional sessions end soon', async () => {
    const { clock, server, request } = fixture();
    const first = await questionsOf(request({ name: 'a' }));
    const second = await questionsOf(request({ name: 'a' }));
    expect(server.opened).toBe(2);
    await request({ name: 'a', state: second.state, answers: { [second.key]: {} } });
    await request({ name: 'a', state: first.state, answers: { [first.key]: {} } });
    clock.advance(30_000);
    expect(server.open.size).toBe(1);
    await request(plain);
    expect([server.opened, server.open.size]).toEqual([2, 1]);
  });

  it('is ended for one of another caller if it was unused for longest', async () => {
    const { clock, server, request } = fixture();
    const clients = Array.from({ length: 16 }, () => new FakeSession());
    for (const client of clients) {
      await request({ ...plain, client });
      clock.advance(1);
    }
    const [oldest, next] = clients;
    await request({ ...plain, client: oldest ?? expect.fail() });
    await request({ ...plain, client: new FakeSession() });
    expect([server.opened, server.open.size]).toEqual([17, 16]);
    await request({ ...plain, client: oldest ?? expect.fail() });
    expect(server.opened).toBe(17);
    await request({ ...plain, client: next ?? expect.fail() });
    expect(server.opened).toBe(18);
  });

  it('is waited for if no more can be opened', async () => {
    const { relay, server } = fixture(overHttp);
    const done: (() => void)[] = [];
    const call = () =>
      relay.request({
        upstream: server.upstream,
        view: server.view,
        context: contextOf(plain),
        name: 'tool',
        isRepeatable: false,
        send: () => new Promise<Said>((resolve) => done.push(() => resolve({ text: 'done' }))),
      });
    const calls = Array.from({ length: 20 }, call);
    const started = async (count: number) => {
      for (let turn = 0; turn < 1000 && done.length < count; turn += 1) await Promise.resolve();
      expect(done).toHaveLength(count);
    };
    await started(16);
    for (const finish of done.splice(0)) finish();
    await started(4);
    for (const finish of done) finish();
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, () => ({ text: 'done' })));
    expect(server.opened).toBe(16);
  });

  it('is separate for each caller behind another node', async () => {
    const { relay, server } = fixture(overHttp);
    const call = (mark: string | undefined) => {
      const { caller, mcpReq, ...rest } = contextOf(plain);
      const _meta = mark === undefined ? {} : { 'tidings/caller': mark };
      const context = { ...rest, caller: { ...caller, auth: nodePrincipal }, mcpReq: { ...mcpReq, _meta } };
      const send = async () => ({ text: 'done' });
      const { upstream, view } = server;
      return relay.request({ upstream, view, context, name: 'tool', isRepeatable: false, send });
    };
    for (const mark of ['ada', 'bob', 'ada', 'bob']) await call(mark);
    expect(server.opened).toBe(2);
    await call(undefined);
    await call(undefined);
    expect(server.opened).toBe(4);
  });

  const markedCall = ({ relay, server: { upstream, view } }: ReturnType<typeof fixture>, mark: unknown) => {
    const { mcpReq, ...rest } = contextOf({ ...plain, subject: 'ada' });
    const context = { ...rest, mcpReq: { ...mcpReq, _meta: { 'tidings/caller': mark } } };
    const send = async () => ({ text: 'done' });
    return relay.request({ upstream, view, context, name: 'tool', isRepeatable: false, send });
  };

  it('is closed when its caller is known to have left', async () => {
    const used = fixture(overHttp);
    const { clock, sessions, server } = used;
    for (const mark of ['first window', 'second window']) await markedCall(used, mark);
    sessions.left('bob', 'first window', clock.now());
    sessions.left('ada', 'third window', clock.now());
    expect(server.open.size).toBe(2);
    sessions.left('ada', 'first window', clock.now());
    expect(server.open.size).toBe(1);
    await markedCall(used, 'second window');
    expect(server.opened).toBe(2);
  });

  it('is kept for a caller that has called since its streams ended', async () => {
    const used = fixture(overHttp);
    const { clock, sessions, server } = used;
    const endedAt = clock.now();
    clock.advance(1000);
    await markedCall(used, 'window');
    sessions.left('ada', 'window', endedAt);
    expect(server.open.size).toBe(1);
    await markedCall(used, 'window');
    expect(server.opened).toBe(1);
    sessions.left('ada', 'window', clock.now());
    expect(server.open.size).toBe(0);
  });

  it('is kept for the tasks of a caller that has left', async () => {
    const { clock, sessions, server, relay } = fixture(overHttp);
    const { mcpReq, ...rest } = contextOf({ ...plain, subject: 'ada' });
    const context = { ...rest, mcpReq: { ...mcpReq, _meta: { 'tidings/caller': 'window' } } };
    const { upstream, view } = server;
    let id = '';
    await relay.request({
      upstream,
      view,
      context,
      name: 'tool',
      isRepeatable: false,
      send: async (_client, _params, _options, keepTask) => {
        id = keepTask?.('task 1', 60_000).id ?? '';
        return { text: 'a task' };
      },
    });
    sessions.left('ada', 'window', clock.now());
    expect(sessions.ofTask(id, 'task 1')?.task).toBeDefined();
    clock.advance(60_000);
    expect(sessions.ofTask(id, 'task 1')?.task).toBeUndefined();
    clock.advance(10 * 60_000);
    expect(server.open.size).toBe(0);
  });

  it('is separate for two clients with the same name and different marks', async () => {
    const used = fixture(overHttp);
    const { server } = used;
    for (const mark of ['first window', 'second window', 'first window']) await markedCall(used, mark);
    expect(server.opened).toBe(2);
    for (const mark of ['x'.repeat(1000), 7, undefined]) await markedCall(used, mark);
    expect(server.opened).toBe(3);
  });
});

describe('many calls', () => {
  it('with URIs chosen by callers as their names leave no record behind', async () => {
    const { clock, relay, server } = fixture(overHttp);
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const held = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed / 1_000_000;
    };
    const before = held();
    for (let n = 0; n < 40; n += 1) {
      const reading = relay.request({
        upstream: server.upstream,
        view: server.view,
        context: contextOf({ name: 'a' }),
        name: `note://${n}${Buffer.alloc(1_000_000, 'x').toString('latin1')}`,
        isRepeatable: true,
        send: (client, _params, { signal }) => server.call(client, signal ?? AbortSignal.abort(), 0, 'a'),
      });
      await reading;
      clock.advance(1000);
    }
    expect(held() - before).toBeLessThan(20);
  });

  it('leave a session for every other caller', async () => {
    const { server, request } = fixture();
    for (const subject of ['ada', 'bob', 'cyd', 'dan']) {
      for (let n = 0; n < 20; n += 1) await questionsOf(request({ name: subject, subject }));
    }
    const opened = server.open.size;
    expect(opened).toBe(16 + 8 + 4 + 2);
    await questionsOf(request({ name: 'eve', subject: 'eve' }));
    expect(server.open.size).toBe(opened + 1);
  });
});

describe('the first call of a server that is not known to ask', () => {
  const unknown = (entry: SessionServer['entry'], isRepeatable: boolean) => {
    const made = fixture(entry, { isRepeatable });
    made.server.upstream.asks = false;
    return made;
  };

  it('is repeated on a session of its caller if that is safe', async () => {
    const { server, request } = unknown(stdio, true);
    expect((await questionsOf(request({ name: 'a' }))).message).toContain('elicitation/create');
    expect([server.shared, server.opened, server.upstream.asks]).toEqual([1, 1, true]);
  });

  it('is not repeated if it may have side effects: its caller gets an error, and is asked from then on', async () => {
    const { server, request } = unknown(stdio, false);
    await expect(request({ name: 'a' })).rejects.toThrow('call it again if that is safe');
    expect([server.shared, server.opened, server.upstream.asks]).toEqual([1, 0, true]);
    await questionsOf(request({ name: 'a' }));
    expect([server.shared, server.opened]).toEqual([1, 1]);
  });

  it('is made on a session of its caller at once if that starts no process', async () => {
    for (const isRepeatable of [true, false]) {
      const { server, request } = unknown(overHttp, isRepeatable);
      await questionsOf(request({ name: 'a' }));
      expect([server.shared, server.opened]).toEqual([0, 1]);
    }
  });

  it('is made on the shared session for a caller that cannot be asked', async () => {
    const { server, request } = unknown(overHttp, false);
    await expect(request({ name: 'a', capabilities: {} })).rejects.toMatchObject({ code: -32_021 });
    expect([server.shared, server.opened]).toEqual([1, 0]);
  });
});

describe('two callers on one server', () => {
  it('never get questions of each other, in 1000 interleavings', async () => {
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
