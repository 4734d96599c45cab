// Odd MCP.
import { expect } from 'vitest';
import { rpcRequest } from '../../../support/wire/raw-http.ts';
import { type Misbehaviour, some } from '../misbehaviour.ts';

export const oddMcp: readonly Misbehaviour[] = [
  {
    name: 'deeply nested JSON',
    attack: async (attacker) => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
        ['[{"a":', '}]'],
      ]) {
        const deep = `${open?.repeat(200_000)}1${close?.repeat(200_000)}`;
        expect((await attacker.post(deep)).status).toBeGreaterThanOrEqual(400);
        const { body } = rpcRequest('modern', 'tools/call', { name: 'wait_for_change' });
        const text = JSON.stringify(body).replace('"wait_for_change"', `"wait_for_change","arguments":${deep}`);
        expect((await attacker.post(text)).message.error).toBeDefined();
      }
    },
  },
  {
    name: 'invalid JSON-RPC messages',
    attack: async (attacker) => {
      const messages = [
        'nonsense',
        '',
        'null',
        '[]',
        '{}',
        '{"jsonrpc":"2.0"}',
        '{"jsonrpc":"1.0","id":1,"method":"ping"}',
        '{"jsonrpc":"2.0","id":{},"method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":7}',
        '{"jsonrpc":"2.0","id":1,"method":"__proto__","params":{"__proto__":{"a":1}}}',
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        `{"jsonrpc":"2.0","id":"${'i'.repeat(1_000_000)}","method":"ping"}`,
        `{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(1_000_000)}"}`,
        '\u0000\u0001\ufeff{"jsonrpc":"2.0"}',
        '1e999999',
      ];
      const eras = [rpcRequest('modern', 'ping').headers, rpcRequest('legacy', 'ping').headers];
      await attacker.many(messages.length * 6, async (n) => {
        const answer = await attacker.post(messages[n % messages.length], eras[n % 2] ?? {});
        expect(answer.status).toBeLessThan(500);
      });
    },
  },
  {
    name: 'batches',
    attack: async (attacker) => {
      const session = await attacker.session();
      const batch = (size: number) => Array.from({ length: size }, (_, n) => rpcRequest('legacy', 'ping', {}, n).body);
      const { headers } = rpcRequest('legacy', 'ping');
      const large = await attacker.post(batch(40_000), { ...headers, ...session });
      expect(large.status).toBe(413);
      await attacker.many(20, () => attacker.post(batch(100), { ...headers, ...session }));
      await attacker.many(20, () => attacker.post([batch(50), [batch(10)]], { ...headers, ...session }));
    },
  },
  {
    name: 'invalid session ids, and those of another client',
    attack: async (attacker, { sessionId }) => {
      const ids = ['', 'x', '__proto__', 'constructor', '../..', 'x'.repeat(8000), sessionId];
      for (const id of ids) {
        const answer = await attacker.legacy({ ...attacker.headers, 'mcp-session-id': id }, 'resources/list');
        expect([400, 404], id.slice(0, 40)).toContain(answer.status);
        const ended = await fetch(`${attacker.url}/mcp`, {
          method: 'DELETE',
          headers: { ...attacker.headers, 'mcp-session-id': id },
        });
        expect([400, 404], id.slice(0, 40)).toContain(ended.status);
      }
    },
  },
  {
    name: 'cancellations of requests of others',
    attack: async (attacker) => {
      const session = await attacker.session();
      const cancel = (requestId: unknown) => ({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId },
      });
      await attacker.many(some(400), (n) => {
        const era = n % 2 === 0 ? 'legacy' : 'modern';
        const { headers } = rpcRequest(era, 'notifications/cancelled');
        const ids = [n, String(n), null, {}, 'raw-1'];
        return attacker.post(cancel(ids[n % ids.length]), { ...headers, ...(era === 'legacy' ? session : {}) });
      });
    },
  },
  {
    name: 'forged cursors',
    attack: async (attacker) => {
      const made = [
        'x',
        '',
        '-1',
        '9'.repeat(400),
        '../../etc',
        'x'.repeat(100_000),
        Buffer.from('{"uri":"note://secret"}').toString('base64'),
        '\u{1f600}',
      ];
      for (const cursor of made) {
        for (const list of ['resources/list', 'resources/templates/list', 'tools/list', 'prompts/list']) {
          expect((await attacker.modern(list, { cursor })).status).toBeLessThan(500);
        }
        await attacker.modern('tools/call', { name: 'list_changes', arguments: { since: cursor } });
        const after = encodeURIComponent(cursor.slice(0, 8000));
        expect((await attacker.get(`/api/resources?after=${after}`)).status).toBeLessThan(500);
        expect((await attacker.get(`/api/events?after=${after}&limit=1e9`)).status).toBeLessThan(500);
      }
    },
  },
];
