import { Client } from '@modelcontextprotocol/client';
import { longestCallMs, longestWaitMs } from '@tidings/client/contract';
import { FakeClock } from '@tidings/live/testing';
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { CallerSessions } from './caller-sessions.ts';
import { MethodRelay } from './method-relay.ts';

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
      asks: false,
      isReachedByNode: false,
      noteAsks: () => undefined,
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
