// Delivery under conditions that a client library does not produce: lost changes, no stream, a stalled client.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { type Interface, createInterface } from 'node:readline';
import { legacyOverHttp, overHttp, stdioCommand } from '../cells.ts';
import { type RpcMessage, ask, initialize, openGet, openStream, rpcRequest } from '../support/wire/raw-http.ts';
import { openBody, textOf } from '../support/wire/raw-fetch.ts';
import type { Scenario } from './scenario.ts';
import { withHttp } from './with-http.ts';

export const deliveryScenarios: readonly Scenario[] = [
  {
    proves: 'gap-means-changed',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      const feed = new kit.testing.FakeFeed();
      await using http = await withHttp(cell, kit, { feed });
      const stream = await openStream(http.url, era, ['note://a', 'note://b']);
      feed.gap();
      await stream.sees('both and the lists', ({ messages, updates }) => updates.length === 2 && messages.length >= 4);
      assert.deepEqual(stream.updates.sort(), ['note://a', 'note://b']);
      stream.destroy();
    },
  },
  {
    proves: 'dirty-until-stream',
    cells: legacyOverHttp,
    run: async (cell, kit) => {
      await using http = await withHttp(cell, kit);
      const session = await initialize(http.url);
      for (const uri of ['quick://first', 'quick://fence']) {
        await ask(http.url, 'legacy', 'resources/subscribe', { uri }, session);
      }
      for (const text of ['1', '2', '3']) await http.call('put', { name: 'first', text });
      const stream = await openGet(http.url, session);
      await stream.sees('what was missed', ({ updates }) => updates.includes('quick://first'));
      stream.destroy();
      await kit.testing.eventually('the stream to be let go', () => http.running.endpoint.open.streams === 0);
      await http.call('put', { name: 'first', text: '4' });
      const next = await openGet(http.url, session);
      await next.sees('what was missed again', ({ updates }) => updates.includes('quick://first'));
      await http.call('put', { name: 'fence', text: 'up' });
      await next.sees('the fence', ({ updates }) => updates.includes('quick://fence'));
      assert.deepEqual(stream.updates, ['quick://first']);
      next.destroy();
    },
  },
  {
    proves: 'reconnect-is-a-gap',
    cells: legacyOverHttp,
    run: async (cell, kit) => {
      await using http = await withHttp(cell, kit);
      const session = await initialize(http.url);
      await ask(http.url, 'legacy', 'resources/subscribe', { uri: 'quick://first' }, session);
      const lost = await openGet(http.url, session);
      lost.res.pause();
      await http.call('put', { name: 'first', text: 'written to a dying connection' });
      await kit.testing.eventually('the frame to be written', () => http.server.stats().frames >= 1);
      lost.destroy();
      const next = await openGet(http.url, session);
      await next.sees('the update again', ({ updates }) => updates.includes('quick://first'));
      next.destroy();
    },
  },
  {
    proves: 'stalled-reader-bounded',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      await using http = await withHttp(cell, kit);
      const names = longNames(100);
      const stream = await openStream(
        http.url,
        era,
        names.map((name) => `quick://${name}`),
      );
      stream.res.pause();
      const rounds = 200;
      await http.call('put_many', { names, rounds });
      const { frames, merged } = http.server.stats();
      assert.ok(frames < (names.length * rounds) / 2, `${frames} notifications written to a reader that stands still`);
      assert.ok(merged > 0);
      const before = stream.updates.length;
      stream.res.resume();
      // Pending frames, then one more update of every URI.
      await stream.sees(
        'the latest of every URI',
        ({ updates }) => new Set(updates.slice(before)).size === names.length,
      );
      await stream.sees('an end of updates', ({ updates }) => updates.length === http.server.stats().frames);
      stream.destroy();
    },
  },
  {
    proves: 'stalled-reader-bounded',
    cells: ['modern-stdio', 'legacy-stdio'],
    run: async ({ era }, kit) => {
      const names = longNames(100);
      const rounds = 50;
      const { command, args, env } = stdioCommand(kit);
      const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
      const lines = createInterface({ input: child.stdout });
      // A sabotaged server may have ended before everything is written.
      child.stdin.on('error', () => undefined);
      let log = '';
      child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
      try {
        const messages = subscribeByHand(child, lines, era, names);
        const updates = () => messages.filter(({ method }) => method === 'notifications/resources/updated');
        await kit.testing.eventually('the subscription', () =>
          messages.some(({ id, method }) => id === 'last' || method?.endsWith('acknowledged')),
        );
        child.stdout.pause();
        write(child, rpcRequest(era, 'tools/call', { name: 'put_many', arguments: { names, rounds } }, 'storm').body);
        await kit.testing.eventually('the storm to be over', () => log.includes('put_many is done'), 20_000);
        child.stdout.resume();
        await kit.testing.eventually('its answer', () => messages.some(({ id }) => id === 'storm'), 20_000);
        assert.ok(updates().length < (names.length * rounds) / 2, `${updates().length} updates for a stalled reader`);
        const told = () => new Set(updates().map(({ params }) => params?.['uri'])).size;
        await kit.testing.eventually('every URI to be told', () => told() === names.length);
      } finally {
        lines.close();
        child.kill();
      }
    },
  },
  {
    proves: 'one-write-per-tick',
    cells: ['modern-http', 'legacy-http'],
    run: async ({ era }, kit) => {
      const server = kit.testing.sessionFixture();
      const endpoint = kit.live.httpEndpoint(server);
      const written: string[] = [];
      const http = createServer((req, res) => {
        const write = res.write.bind(res);
        res.write = (chunk: unknown, ...rest: never[]) => {
          if (String(chunk).includes('resources/updated')) written.push(String(chunk));
          return write(chunk, ...rest);
        };
        void endpoint.handle(req, res);
      });
      await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
      const address = http.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
      const names = ['a', 'b', 'c', 'd', 'e'];
      const stream = await openStream(
        url,
        era,
        names.map((name) => `quick://${name}`),
      );
      server.announce(...names.map((name) => `quick://${name}`));
      await stream.sees('five updates', ({ updates }) => updates.length === names.length);
      stream.destroy();
      await endpoint.close();
      http.close();
      assert.equal(written.length, 1);
    },
  },
  {
    proves: 'one-write-per-tick',
    cells: ['modern-web', 'legacy-web'],
    run: async ({ era }, kit) => {
      const server = kit.testing.sessionFixture();
      const endpoint = kit.live.webEndpoint(server);
      const uris = ['a', 'b', 'c', 'd', 'e'].map((name) => `quick://${name}`);
      const reader = (await openBody(endpoint.fetch, era, uris)).getReader();
      if (era === 'modern') assert.match(textOf(await reader.read()), /acknowledged/);
      server.announce(...uris);
      assert.equal(textOf(await reader.read()).match(/resources\/updated/g)?.length, uris.length);
      await reader.cancel();
      assert.equal(server.stats().subscribers, era === 'modern' ? 0 : 1);
      await endpoint.close();
    },
  },
];

/** Long names, so that a few hundred notifications fill every buffer on the way. */
function longNames(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${n}-${'x'.repeat(2000)}`);
}

function write(child: ChildProcess, message: unknown): void {
  child.stdin?.write(`${JSON.stringify(message)}\n`);
}

function subscribeByHand(
  child: ChildProcess,
  lines: Interface,
  era: 'modern' | 'legacy',
  names: string[],
): RpcMessage[] {
  const messages: RpcMessage[] = [];
  lines.on('line', (line) => messages.push(JSON.parse(line)));
  const uris = names.map((name) => `quick://${name}`);
  if (era === 'modern') {
    write(child, rpcRequest(era, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } }).body);
    return messages;
  }
  const clientInfo = { name: 'by-hand', version: '1' };
  write(child, rpcRequest(era, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 0).body);
  write(child, { jsonrpc: '2.0', method: 'notifications/initialized' });
  uris.forEach((uri, n) =>
    write(child, rpcRequest(era, 'resources/subscribe', { uri }, n === uris.length - 1 ? 'last' : n + 1).body),
  );
  return messages;
}
