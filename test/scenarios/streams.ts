// The life of streams and sessions: begin, keep-alive, end.
import assert from 'node:assert/strict';
import { legacyOverHttp, modernOverHttp, overHttp } from '../cells.ts';
import {
  type RpcMessage,
  ask,
  initialize,
  openGet,
  openListen,
  openStream,
  rpcRequest,
  send,
} from '../support/wire/raw-http.ts';
import { overPipes } from '../support/wire/stdio-pipes.ts';
import type { Scenario } from './scenario.ts';
import { withHttp } from './with-http.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const keepAliveMs = 15_000;
const sessionIdleMs = 30 * 60_000;

export const streamScenarios: readonly Scenario[] = [
  {
    proves: 'no-ghosts',
    cells: modernOverHttp,
    run: async (cell, kit) => {
      await using http = await withHttp(cell, kit);
      const before = http.server.stats();
      const streams = await Promise.all([1, 2, 3].map(() => openStream(http.url, 'modern', ['note://a', 'note://b'])));
      assert.equal(http.running.endpoint.open.streams, 3);
      for (const stream of streams) stream.destroy();
      await kit.testing.eventually('every stream to be let go', () => http.running.endpoint.open.streams === 0);
      assert.equal(http.server.stats().subscribers, before.subscribers);
      assert.equal(http.server.stats().watched, before.watched);
    },
  },
  {
    proves: 'no-ghosts',
    cells: legacyOverHttp,
    run: async (cell, kit) => {
      await using http = await withHttp(cell, kit);
      const before = http.server.stats();
      const session = await initialize(http.url);
      await ask(http.url, 'legacy', 'resources/subscribe', { uri: 'note://a' }, session);
      const stream = await openGet(http.url, session);
      stream.destroy();
      await kit.testing.eventually('the stream to be let go', () => http.running.endpoint.open.streams === 0);
      const { statusCode } = await send(http.url, 'DELETE', session);
      assert.equal(statusCode, 200);
      await kit.testing.eventually('the session to be let go', () => http.running.endpoint.open.sessions === 0);
      assert.deepEqual(http.server.stats().subscribers, before.subscribers);
      const { status } = await ask(http.url, 'legacy', 'resources/list', {}, session);
      assert.equal(status, 404);
    },
  },
  {
    proves: 'silent-peer',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      const clock = new kit.testing.FakeClock();
      await using http = await withHttp(cell, kit, { clock }, { keepAliveMs });
      const uris = Array.from({ length: 50 }, (_, n) => `quick://${n}-${'x'.repeat(4000)}`);
      const stream = await openStream(http.url, era, uris);
      stream.res.pause();
      let frames = -1;
      // Until the socket is full.
      while (http.server.stats().frames !== frames) {
        frames = http.server.stats().frames;
        for (let round = 0; round < 40; round += 1) {
          http.server.announce(...uris);
          clock.tick();
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      clock.advance(keepAliveMs);
      assert.equal(http.running.endpoint.open.streams, 1);
      clock.advance(keepAliveMs);
      await kit.testing.eventually('the silent peer to be let go', () => http.running.endpoint.open.streams === 0);
      stream.destroy();
    },
  },
  {
    proves: 'keep-alive',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      const clock = new kit.testing.FakeClock();
      await using http = await withHttp(cell, kit, { clock }, { keepAliveMs });
      const stream = await openStream(http.url, era, ['note://first']);
      await kit.testing.eventually('the stream', () => http.running.endpoint.open.streams === 1);
      for (let n = 1; n <= 3; n += 1) {
        clock.advance(keepAliveMs);
        await stream.sees(`comment ${n}`, ({ text }) => text.split(': keepalive\n\n').length === n + 1);
      }
      assert.equal(http.running.endpoint.open.streams, 1);
      stream.destroy();
    },
  },
  {
    proves: 'second-stream-replaces',
    cells: legacyOverHttp,
    run: async (cell, kit) => {
      await using http = await withHttp(cell, kit);
      const session = await initialize(http.url);
      await ask(http.url, 'legacy', 'resources/subscribe', { uri: 'quick://first' }, session);
      const first = await openGet(http.url, session);
      const second = await openGet(http.url, session);
      await first.sees('its end', ({ ended }) => ended);
      // A second stream gets all updates, because it is unknown which of them reached the first.
      await second.sees('what the first may have missed', ({ updates }) => updates.length === 1);
      await http.call('put', { name: 'first', text: 'changed' });
      await second.sees('the update', ({ updates }) => updates.length === 2);
      assert.deepEqual(first.updates, []);
      second.destroy();
    },
  },
  {
    proves: 'idle-session-ends',
    cells: legacyOverHttp,
    run: async (cell, kit) => {
      const clock = new kit.testing.FakeClock();
      await using http = await withHttp(cell, kit, { clock }, { sessionIdleMs, keepAliveMs });
      const session = await initialize(http.url);
      const stream = await openGet(http.url, session);
      clock.advance(sessionIdleMs * 2);
      assert.equal(http.running.endpoint.open.sessions, 1);
      stream.destroy();
      await kit.testing.eventually('the stream to be let go', () => http.running.endpoint.open.streams === 0);
      clock.advance(sessionIdleMs / 2);
      assert.equal(http.running.endpoint.open.sessions, 1);
      clock.advance(sessionIdleMs);
      await kit.testing.eventually('the idle session to end', () => http.running.endpoint.open.sessions === 0);
    },
  },
  {
    proves: 'acknowledged-first',
    cells: modernOverHttp,
    run: async (cell, kit) => {
      await using http = await withHttp(cell, kit);
      const stream = await openListen(http.url, ['quick://first', 'unknown://x'], {}, 77);
      await http.call('put', { name: 'first', text: 'changed' });
      await http.call('put', { name: 'new', text: 'listed' });
      await stream.sees('both notifications', ({ messages }) => messages.length >= 3);
      assertAcknowledgedFirst(stream.messages, 77);
      stream.destroy();
    },
  },
  {
    proves: 'acknowledged-first',
    cells: ['modern-stdio'],
    run: async (_cell, kit) => {
      const pipe = overPipes();
      const connection = kit.live.serveStdio(kit.testing.sessionFixture(), pipe.streams);
      pipe.send(listenRequest(77));
      pipe.send(
        rpcRequest('modern', 'tools/call', { name: 'put', arguments: { name: 'first', text: 'x' } }, 'put').body,
      );
      await kit.testing.eventually('the update', () => pipe.messages.some(({ method }) => method?.endsWith('updated')));
      const notifications = pipe.messages.filter(({ method }) => method !== undefined);
      assertAcknowledgedFirst(notifications, 77);
      await connection.close();
    },
  },
  {
    proves: 'graceful-end',
    cells: modernOverHttp,
    run: async (cell, kit) => {
      await using http = await withHttp(cell, kit);
      const stream = await openListen(http.url, ['quick://first'], {}, 'last');
      await stream.sees('the acknowledgement', ({ messages }) => messages.length === 1);
      http.server.announce('quick://first');
      await http.running.close();
      await stream.sees('its end', ({ ended }) => ended);
      const [, update, completion] = stream.messages;
      assert.equal(update?.method, 'notifications/resources/updated');
      assertCompletes(completion, 'last');
    },
  },
  {
    proves: 'graceful-end',
    cells: ['modern-stdio'],
    run: async (_cell, kit) => {
      const server = kit.testing.sessionFixture();
      const pipe = overPipes();
      const connection = kit.live.serveStdio(server, pipe.streams);
      pipe.send(listenRequest('last'));
      await kit.testing.eventually('the acknowledgement', () => pipe.messages.length === 1);
      server.announce('quick://first');
      await connection.close();
      await connection.closed;
      const [, update, completion] = pipe.messages;
      assert.equal(update?.method, 'notifications/resources/updated');
      assertCompletes(completion, 'last');
      assert.equal(server.stats().subscribers, 0);
    },
  },
];

function assertAcknowledgedFirst(messages: readonly RpcMessage[], id: string | number): void {
  const [first] = messages;
  assert.equal(first?.method, 'notifications/subscriptions/acknowledged');
  assert.deepEqual(Object(first?.params?.['notifications']).resourceSubscriptions, ['quick://first']);
  for (const { params } of messages) assert.equal(Object(params?.['_meta'])[subscriptionId], id);
}

function assertCompletes(message: RpcMessage | undefined, id: string): void {
  assert.equal(message?.id, id);
  assert.equal(message?.result?.['resultType'], 'complete');
}

function listenRequest(id: string | number) {
  const notifications = { resourceSubscriptions: ['quick://first', 'unknown://x'] };
  return rpcRequest('modern', 'subscriptions/listen', { notifications }, id).body;
}
