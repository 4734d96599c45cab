// Permissions, limits, and the errors of refused requests.
import assert from 'node:assert/strict';
import { type Credential, type ErrorCode, errorCodes } from '@tidings/live';
import type { Era } from '@tidings/live/testing';
import { legacyOverHttp, overHttp } from '../cells.ts';
import { type RawAnswer, ask, initialize, openStream, post, rpcRequest, send } from '../support/wire/raw-http.ts';
import type { Scenario } from './scenario.ts';
import { serve, withHttp } from './with-http.ts';

export const edgeScenarios: readonly Scenario[] = [
  {
    proves: 'permission-at-every-step',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      const allowed = new Set(['note://first', 'quick://first', 'quick://fence']);
      await using http = await withHttp(cell, kit, { authorize: (_caller, uri) => allowed.has(uri) });
      await http.call('put', { name: 'hidden', text: 'not for everybody' });
      const client = await kit.testing.connectHttp(http.url, era);
      assert.deepEqual(await client.listAll(), ['note://first']);
      await assert.rejects(client.read('note://hidden'), { code: -31010 });
      const { honored } = await client.subscribe('quick://hidden', 'quick://first', 'quick://fence');
      assert.deepEqual(honored, ['quick://first', 'quick://fence']);
      for (const name of ['hidden', 'first', 'fence']) await http.call('put', { name, text: 'changed' });
      await kit.testing.told(client, 'quick://fence');
      assert.deepEqual(client.updates, ['quick://first', 'quick://fence']);
      await client.close();
    },
  },
  {
    proves: 'revoked-ends-stream',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      let isAllowed = true;
      await using http = await withHttp(cell, kit, { authorize: async () => isAllowed });
      const stream = await openStream(http.url, era, ['quick://first']);
      await http.call('put', { name: 'first', text: 'public' });
      await stream.sees('the update', ({ updates }) => updates.length === 1);
      isAllowed = false;
      http.server.announce('quick://first');
      await stream.sees('its end', ({ ended }) => ended);
      assert.equal(stream.updates.length, 1);
      assert.equal(http.running.endpoint.open.sessions, 0);
    },
  },
  {
    proves: 'revoked-ends-stream',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      const start = Date.UTC(2026, 6, 28);
      const clock = new kit.testing.FakeClock(start);
      const authenticate = () => ({ subject: 'somebody', expiresAt: start + 60_000 });
      await using http = await withHttp(cell, kit, { clock }, { authenticate, keepAliveMs: 0 });
      const stream = await openStream(http.url, era, ['quick://first']);
      clock.advance(59_000);
      assert.equal(http.running.endpoint.open.streams, 1);
      clock.advance(1000);
      await stream.sees('its end', ({ ended }) => ended);
      assert.deepEqual(http.running.endpoint.open, { streams: 0, sessions: 0 });
    },
  },
  {
    proves: 'permission-at-every-step',
    cells: legacyOverHttp,
    run: async (cell, kit) => {
      const authenticate = (authorization: string | undefined): Credential | undefined =>
        authorization === undefined ? undefined : { subject: authorization };
      await using http = await withHttp(cell, kit, {}, { authenticate });
      const { statusCode } = await send(http.url, 'GET', {});
      assert.equal(statusCode, 401);
      const session = await initialize(http.url, { authorization: 'alice' });
      const asBob = await ask(http.url, 'legacy', 'resources/list', {}, { ...session, authorization: 'bob' });
      assert.equal(asBob.status, 404);
      const asAlice = await ask(http.url, 'legacy', 'resources/list', {}, session);
      assert.equal(asAlice.status, 200);
    },
  },
  {
    proves: 'error-codes',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      const server = kit.live.liveServer({ name: 'errors', version: '1.0.0', log: silentLog });
      for (const code of Object.keys(kit.live.errorCodes).filter(isErrorCode)) {
        server.resource(`error://${code}`, {
          read: () => {
            throw new kit.live.LiveError(code, `This is ${code}.`);
          },
        });
      }
      await using http = await serve(cell, kit, server);
      const read = await reader(http.url, era);
      for (const [code, { rpc }] of Object.entries(kit.live.errorCodes)) {
        const uri = `error://${code}`;
        const expected = era === 'legacy' && code === 'RESOURCE_NOT_FOUND' ? -32002 : rpc;
        const { status, message } = await read(uri);
        assert.equal(status, 200);
        assert.deepEqual(message.error, { code: expected, message: `This is ${code}.`, data: { code, uri } });
      }
      const codeOf = async (uri: string) => (await read(uri)).message.error?.data?.['code'];
      assert.equal(await codeOf('unknown://x'), 'INVALID_URI');
      assert.equal(await codeOf('error://%E0%A4%A'), 'INVALID_URI');
      assert.equal(await codeOf('error://a/b'), 'RESOURCE_NOT_FOUND');
      const session = era === 'legacy' ? await initialize(http.url) : {};
      const page = await ask(http.url, era, 'resources/list', { cursor: 'made up' }, session);
      assert.equal(page.message.error?.data?.['code'], 'INVALID_PARAMS');
    },
  },
  {
    proves: 'limits',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      const limits = { sessions: 2, streams: 1, urisPerSubscriber: 2, bodyBytes: 5000, uriLength: 100 };
      await using http = await withHttp(cell, kit, { limits });
      const read = await reader(http.url, era);
      assertLimited(await read(`note://${'x'.repeat(200)}`));

      const { headers, body } = rpcRequest(era, 'resources/read', { uri: `note://${'x'.repeat(6000)}` });
      const large = await post(http.url, body, { ...headers, 'mcp-name': 'note://x' });
      assert.equal(large.status, 413);
      assert.equal(large.message.error?.data?.['code'], 'LIMIT_EXCEEDED');

      if (era === 'modern') await assertModernLimits(http.url);
      else await assertLegacyLimits(http.url);
    },
  },
  {
    proves: 'host-and-origin',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      await using http = await withHttp(cell, kit);
      const foreign: Record<string, string>[] = [
        { host: 'evil.example' },
        { origin: 'https://evil.example' },
        { origin: 'http://localhost:5173' },
      ];
      for (const extra of foreign) {
        const { status, message } = await ask(http.url, era, 'resources/list', {}, extra);
        assert.equal(status, 403);
        assert.equal(message.error?.data?.['code'], 'PERMISSION_DENIED');
      }
      const own = await ask(http.url, era, 'ping', {}, { origin: new URL(http.url).origin });
      assert.notEqual(own.status, 403);
      const names = { allowedHosts: ['tidings.example'], allowedOrigins: ['https://tidings.example'] };
      await using open = await withHttp(cell, kit, {}, names);
      const named = await ask(
        open.url,
        era,
        'resources/list',
        {},
        { host: 'tidings.example', origin: 'https://tidings.example' },
      );
      assert.notEqual(named.status, 403);
    },
  },
];

function isErrorCode(name: string): name is ErrorCode {
  return name in errorCodes;
}

const silentLog = { warn: () => undefined, error: () => undefined };

async function reader(url: string, era: Era): Promise<(uri: string) => Promise<RawAnswer>> {
  const session = era === 'legacy' ? await initialize(url) : {};
  return (uri) => ask(url, era, 'resources/read', { uri }, session);
}

function assertLimited({ status, message }: RawAnswer): void {
  assert.equal(status, 200);
  assert.equal(message.error?.code, -31013);
  assert.equal(message.error?.data?.['code'], 'LIMIT_EXCEEDED');
}

async function assertModernLimits(url: string): Promise<void> {
  const listen = (uris: string[]) =>
    ask(url, 'modern', 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
  assertLimited(await listen(['note://a', 'note://b', 'note://c']));
  const stream = await openStream(url, 'modern', ['note://a']);
  assertLimited(await listen(['note://a']));
  stream.destroy();
}

async function assertLegacyLimits(url: string): Promise<void> {
  // The reader's session is the first one.
  const session = await initialize(url);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'third', version: '1' } };
  assertLimited(await ask(url, 'legacy', 'initialize', params));
  const subscribe = (uri: string) => ask(url, 'legacy', 'resources/subscribe', { uri }, session);
  for (const uri of ['note://a', 'note://b', 'note://b']) assert.equal((await subscribe(uri)).message.error, undefined);
  assertLimited(await subscribe('note://c'));
}
