import { Client, isInputRequiredResult } from '@modelcontextprotocol/client';
import { longestCallMs, longestWaitMs } from '@tidings/client/contract';
import { FakeClock } from '@tidings/live/testing';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { httpEntry, questionsOf, relayFixture, stdioEntry } from '../../testing/relay-fixture.ts';
import { CallerSessions } from './caller-sessions.ts';
import { MethodRelay } from './method-relay.ts';
import type { SessionServer } from './pooled-session.ts';

it.each([
  ['a server', undefined, longestCallMs],
  ['a hub, where it may wait for a change', 'a process', longestCallMs + longestWaitMs],
])('the time limit of a call of %s with the mark %s is %d ms', async (_, mark, expected) => {
  const clock = new FakeClock();
  const relay = new MethodRelay<{ timeout: number | undefined }>({
    clock,
    key: randomBytes(32),
    sessions: new CallerSessions(clock),
    mark,
    patienceMs: () => 60_000,
    failureIn: () => undefined,
  });
  const answer = await relay.request({
    upstream: {
      id: 'one',
      entry: { id: 'one', url: 'http://one.example/mcp', headers: {}, enabled: true, trackResources: false },
      sendsRequests: false,
      isReachedByNode: false,
      noteClientRequest: () => undefined,
      openOwn: () => Promise.reject(new Error('No session of its own is needed.')),
    },
    view: { use: (work) => work(new Client({ name: 'test', version: '1' })) },
    context: {
      caller: { era: 'modern', transport: 'http' },
      client: { capabilities: {}, info: undefined, logLevel: undefined, notify: undefined },
      log: () => undefined,
      mcpReq: {
        signal: new AbortController().signal,
        requestState: () => undefined,
        notify: async () => undefined,
      },
    },
    name: 'tool',
    isRepeatable: false,
    send: async (_client, _params, { timeout }) => ({ timeout }),
  });
  expect(answer).toEqual({ timeout: expected });
});

describe('a call that asks', () => {
  it('continues with the answer of its caller, and keeps one unused session for ten minutes', async () => {
    const { clock, sessions, relay, server, request } = relayFixture();
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
    const { clock, sessions, relay, server, request } = relayFixture();
    await questionsOf(request({ name: 'a' }));
    expect([relay.held, sessions.size, server.open.size]).toEqual([1, 1, 1]);
    clock.advance(60_000);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([relay.held, sessions.size, server.open.size]).toEqual([0, 0, 0]);
  });

  it('ends at once when its caller cancels it', async () => {
    const { relay, server, request, sessions } = relayFixture();
    const { key, state } = await questionsOf(request({ name: 'a', times: 2 }));
    const leaving = new AbortController();
    const second = request({ name: 'a', state, answers: { [key]: {} }, signal: leaving.signal });
    leaving.abort();
    await expect(second).rejects.toThrow('cancelled');
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([relay.held, sessions.size, server.open.size]).toEqual([0, 0, 0]);
  });

  it('may contain eight questions', async () => {
    const { relay, request, sessions } = relayFixture();
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
    const { request } = relayFixture(stdioEntry, { key: signing });
    const { key, state } = await questionsOf(request({ name: 'a', subject: 'ada', times: 2 }));
    const answers = { [key]: {} };
    await expect(request({ name: 'a', subject: 'bob', state, answers })).rejects.toMatchObject({ code: -32602 });
    const second = await questionsOf(request({ name: 'a', subject: 'ada', state, answers }));
    await expect(request({ name: 'a', subject: 'ada', state, answers })).rejects.toThrow('no call here that waits');
    // States of this node's next run, and of another hub.
    for (const later of [relayFixture(stdioEntry, { key: signing }), relayFixture()]) {
      const again = later.request({ name: 'a', subject: 'ada', state: second.state, answers });
      await expect(again).rejects.toThrow('was restarted');
    }
  });

  it('is ended by new calls of a caller that has too many, and only of that caller', async () => {
    const { relay, server, request } = relayFixture();
    const kept = await questionsOf(request({ name: 'b', subject: 'bob' }));
    for (let n = 0; n < 20; n += 1) await questionsOf(request({ name: 'a', subject: 'ada' }));
    expect(server.open.size).toBe(16);
    expect(relay.held).toBe(16);
    const answers = { [kept.key]: {} };
    expect(await request({ name: 'b', subject: 'bob', state: kept.state, answers })).toEqual({ text: 'b {}' });
  });
});

describe('the first call of a server that is not known to ask', () => {
  const unknown = (entry: SessionServer['entry'], isRepeatable: boolean) => {
    const made = relayFixture(entry, { isRepeatable });
    made.server.upstream.sendsRequests = false;
    return made;
  };

  it('is repeated on a session of its caller if that is safe', async () => {
    const { server, request } = unknown(stdioEntry, true);
    expect((await questionsOf(request({ name: 'a' }))).message).toContain('elicitation/create');
    expect([server.shared, server.opened, server.upstream.sendsRequests]).toEqual([1, 1, true]);
  });

  it('is not repeated if it may have side effects: its caller gets an error, and is asked from then on', async () => {
    const { server, request } = unknown(stdioEntry, false);
    await expect(request({ name: 'a' })).rejects.toThrow('call it again if that is safe');
    expect([server.shared, server.opened, server.upstream.sendsRequests]).toEqual([1, 0, true]);
    await questionsOf(request({ name: 'a' }));
    expect([server.shared, server.opened]).toEqual([1, 1]);
  });

  it('is made on a session of its caller at once if that starts no process', async () => {
    for (const isRepeatable of [true, false]) {
      const { server, request } = unknown(httpEntry, isRepeatable);
      await questionsOf(request({ name: 'a' }));
      expect([server.shared, server.opened]).toEqual([0, 1]);
    }
  });

  it('is made on the shared session for a caller that cannot be asked', async () => {
    const { server, request } = unknown(httpEntry, false);
    await expect(request({ name: 'a', capabilities: {} })).rejects.toMatchObject({ code: -32_021 });
    expect([server.shared, server.opened]).toEqual([1, 0]);
  });
});

describe('two callers on one server', () => {
  it('never get questions of each other, in 1000 interleavings', async () => {
    const { relay, request, server } = relayFixture();
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
