// The sessions that a server has for single callers: which calls share one, and when one ends.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  FakeSession,
  type Said,
  contextOf,
  httpEntry,
  questionsOf,
  relayFixture,
  stdioEntry,
} from '../../testing/relay-fixture.ts';
import { nodePrincipal } from '../../access/node-principal.ts';
import { markForNode } from './relayed-request.ts';

describe('the session of a caller', () => {
  const plain = { name: 'a', times: 0 };

  it('is the same for all its calls, also of a modern client with roots', async () => {
    for (const entry of [stdioEntry, httpEntry]) {
      const { clock, server, request } = relayFixture(entry);
      const capabilities = { roots: {} };
      for (let n = 0; n < 5; n += 1) {
        await request({ ...plain, capabilities });
        clock.advance(5 * 60_000);
      }
      expect([server.shared, server.opened]).toEqual([0, 1]);
    }
  });

  it('ends with the session of a 2025-era client, or after half an hour without use', async () => {
    const { clock, server, request } = relayFixture();
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
    const { server, request, relay } = relayFixture();
    const client = new FakeSession();
    const { key, state } = await questionsOf(request({ name: 'a', client }));
    client.close();
    await request({ name: 'a', client, state, answers: { [key]: {} } });
    expect([relay.held, server.open.size]).toEqual([0, 0]);
  });

  it('is preferred after simultaneous calls, whose additional sessions end soon', async () => {
    const { clock, server, request } = relayFixture();
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
    const { clock, server, request } = relayFixture();
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
    const { relay, server } = relayFixture(httpEntry);
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

  const callThrough = ({ relay, server: { upstream, view } }: ReturnType<typeof relayFixture>, mark?: string) => {
    const { caller, mcpReq, ...rest } = contextOf(plain);
    const _meta = mark === undefined ? {} : { 'tidings/caller': mark };
    const context = { ...rest, caller: { ...caller, auth: nodePrincipal }, mcpReq: { ...mcpReq, _meta } };
    const send = async () => ({ text: 'done' });
    return relay.request({ upstream, view, context, name: 'tool', isRepeatable: false, send });
  };

  it('is separate for each caller behind another node', async () => {
    const used = relayFixture(httpEntry);
    for (const mark of ['ada', 'bob', 'ada', 'bob']) await callThrough(used, mark);
    expect(used.server.opened).toBe(2);
    await callThrough(used, undefined);
    await callThrough(used, undefined);
    expect(used.server.opened).toBe(4);
  });

  it('is not ended for one of another principal behind the same node', async () => {
    const used = relayFixture(httpEntry);
    const markOf = (subject: string, name: string) => markForNode(contextOf({ ...plain, name, subject }));
    await callThrough(used, markOf('ada', 'host'));
    for (let n = 0; n < 20; n += 1) await callThrough(used, markOf('bob', `host ${n}`));
    expect(used.server.opened).toBe(21);
    await callThrough(used, markOf('ada', 'host'));
    expect([used.server.opened, used.server.open.size]).toEqual([21, 16]);
  });

  const markedCall = ({ relay, server: { upstream, view } }: ReturnType<typeof relayFixture>, mark: unknown) => {
    const { mcpReq, ...rest } = contextOf({ ...plain, subject: 'ada' });
    const context = { ...rest, mcpReq: { ...mcpReq, _meta: { 'tidings/caller': mark } } };
    const send = async () => ({ text: 'done' });
    return relay.request({ upstream, view, context, name: 'tool', isRepeatable: false, send });
  };

  it('is closed when its caller is known to have left', async () => {
    const used = relayFixture(httpEntry);
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
    const used = relayFixture(httpEntry);
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
    const { clock, sessions, server, relay } = relayFixture(httpEntry);
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
    const used = relayFixture(httpEntry);
    const { server } = used;
    for (const mark of ['first window', 'second window', 'first window']) await markedCall(used, mark);
    expect(server.opened).toBe(2);
    for (const mark of ['x'.repeat(1000), 7, undefined]) await markedCall(used, mark);
    expect(server.opened).toBe(3);
  });
});

describe('many calls', () => {
  it('with URIs chosen by callers as their names leave no record behind', async () => {
    const { clock, relay, server } = relayFixture(httpEntry);
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
    const { server, request } = relayFixture();
    for (const subject of ['ada', 'bob', 'cyd', 'dan']) {
      for (let n = 0; n < 20; n += 1) await questionsOf(request({ name: subject, subject }));
    }
    const opened = server.open.size;
    expect(opened).toBe(16 + 8 + 4 + 2);
    await questionsOf(request({ name: 'eve', subject: 'eve' }));
    expect(server.open.size).toBe(opened + 1);
  });
});
