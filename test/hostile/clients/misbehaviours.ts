// The attacks of hostile clients, by name. An attack resolves at its peak; its open connections are closed afterwards.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { isWhole } from '../../support/proof-size.ts';
import { rpcRequest } from '../../support/raw-http.ts';
import type { Attacker } from './attacker.ts';

interface Misbehaviour {
  name: string;
  attack(this: void, attacker: Attacker, victim: Victim): Promise<unknown>;
}

/** The information about another client that a hostile client may have. */
export interface Victim {
  /** The session of a 2025-era client. */
  sessionId: string;
  /** Changes the watched resource `count` times. */
  change(this: void, count: number): Promise<void>;
}

const notes = (count: number) => Array.from({ length: count }, (_, n) => `note://of-attacker-${n}`);
/** Attacks that harm by their kind, not by their number, run with a third of the requests in `npm test`. */
const some = (count: number) => (isWhole ? count : Math.ceil(count / 3));
const refusal = /^HTTP\/1\.1 (400|408|411|413|414|431|500|501)|^$/;

async function drained(socket: Socket): Promise<void> {
  const done = new AbortController();
  await Promise.race(['drain', 'close'].map((event) => once(socket, event, { signal: done.signal })));
  done.abort();
}

const http: Misbehaviour[] = [
  {
    name: 'headers that never end',
    attack: (attacker) =>
      attacker.many(some(300), async () => {
        const socket = await attacker.socket();
        socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
        const drip = setInterval(() => socket.write('x'), 200);
        socket.once('close', () => clearInterval(drip));
      }),
  },
  {
    name: 'bodies that never end',
    attack: (attacker) =>
      attacker.many(some(300), async (n) => {
        const socket = await attacker.socket();
        const length = n % 2 === 0 ? 'Content-Length: 1000000' : 'Transfer-Encoding: chunked';
        socket.write(`${attacker.head('POST /mcp', 'Content-Type: application/json', length)}\r\n`);
        socket.write(n % 2 === 0 ? '{"jsonrpc"' : '5\r\n{"jso\r\n');
      }),
  },
  {
    name: 'huge bodies',
    attack: async (attacker) => {
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const chunked = Buffer.concat([Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')]);
      await attacker.many(12, async (n) => {
        const path = ['POST /mcp', 'PATCH /api/servers/notes', 'POST /api/sessions'][n % 3] ?? 'POST /mcp';
        const length = n % 2 === 0 ? 'Content-Length: 100000000' : 'Transfer-Encoding: chunked';
        const socket = await attacker.socket();
        socket.write(`${attacker.head(path, 'Content-Type: application/json', length)}\r\n`);
        for (let sent = 0; sent < 64 && !socket.destroyed; sent += 1) {
          if (!socket.write(n % 2 === 0 ? chunk : chunked)) await drained(socket);
        }
      });
    },
  },
  {
    name: 'huge and numerous headers',
    attack: async (attacker) => {
      expect(await attacker.raw(`${attacker.head('GET /', `X: ${'x'.repeat(1_000_000)}`)}\r\n`)).toMatch(refusal);
      const small = Array.from({ length: 5000 }, (_, n) => `X-${n}: y`);
      expect(await attacker.raw(`${attacker.head('GET /', ...small)}\r\n`)).toMatch(refusal);
      await attacker.many(50, () => attacker.raw(`${attacker.head('GET /', `Cookie: ${'a=b; '.repeat(3000)}`)}\r\n`));
    },
  },
  {
    name: 'ambiguous headers',
    attack: async (attacker) => {
      const hidden = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
      const both = attacker.head('POST /mcp', 'Content-Length: 4', 'Transfer-Encoding: chunked');
      const twice = attacker.head('POST /mcp', 'Content-Length: 4', 'Content-Length: 400');
      const folded = attacker.head('GET /mcp', 'X: a\r\n b');
      const strange = [
        `${both}\r\n0\r\n\r\n${hidden}`,
        `${twice}\r\nabcd${hidden}`,
        `${attacker.head('POST /mcp', 'Transfer-Encoding: xchunked')}\r\n0\r\n\r\n${hidden}`,
        `${attacker.head('POST /mcp', 'Content-Length: +4')}\r\nabcd${hidden}`,
        `${attacker.head('POST /mcp', 'Content-Length : 4')}\r\nabcd${hidden}`,
        `${folded}\r\n${hidden}`,
        `GET /mcp HTTP/1.1\nHost: 127.0.0.1\n\n${hidden}`,
      ];
      for (const bytes of strange)
        expect(await attacker.raw(bytes), bytes.slice(0, 200)).not.toContain('"status":"ok"');
    },
  },
  {
    name: 'a thousand requests on one connection at once',
    attack: async (attacker) => {
      const { body } = rpcRequest('modern', 'resources/list');
      const text = JSON.stringify(body);
      const { headers } = rpcRequest('modern', 'resources/list');
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const one = `${attacker.head('POST /mcp', ...lines, `Content-Length: ${text.length}`)}\r\n${text}`;
      await attacker.many(some(3), () => attacker.raw(one.repeat(1000)), 3);
    },
  },
  {
    name: 'resets in every phase',
    attack: async (attacker) => {
      const { headers, body } = rpcRequest('modern', 'subscriptions/listen', {
        notifications: { resourceSubscriptions: notes(2000), resourcesListChanged: true },
      });
      const text = JSON.stringify(body);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const whole = `${attacker.head('POST /mcp', ...lines, `Content-Length: ${text.length}`)}\r\n${text}`;
      const phases = [0, 10, 200, whole.length - 1000, whole.length - 1, whole.length];
      await attacker.many(40, async (n) => {
        const socket = await attacker.socket();
        socket.write(whole.slice(0, phases[n % phases.length]));
        if (n % 2 === 0) await new Promise((resolve) => setTimeout(resolve, n % 50));
        socket.resetAndDestroy();
      });
    },
  },
  {
    name: 'request targets of percent signs, and other unusual ones',
    attack: async (attacker) => {
      const paths = [
        `/resources/${'%25'.repeat(4000)}`,
        `/resources/${'%'.repeat(4000)}`,
        `/resources/${'%2525'.repeat(2500)}`,
        `/resources/note%3A%2F%2F${'%C3'.repeat(2000)}`,
        `/mcp/${'%25'.repeat(2000)}`,
        `/api/resources?q=${'%25'.repeat(4000)}`,
      ];
      for (const path of paths) expect((await attacker.get(path)).status, path.slice(0, 40)).toBeLessThan(500);
      const targets = [
        'GET //[',
        'GET http://elsewhere/',
        'CONNECT x:1',
        'OPTIONS *',
        'TRACE /',
        'GET \u0000',
        'PRI *',
      ];
      for (const target of targets) await attacker.raw(`${attacker.head(target)}\r\n`);
      await attacker.many(60, (n) => attacker.get(paths[n % paths.length] ?? '/'));
    },
  },
];

const mcp: Misbehaviour[] = [
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

const lists: Misbehaviour[] = [
  {
    name: 'a hundred concurrent requests for long lists',
    attack: async (attacker) => {
      await attacker.many(100, () => attacker.modern('resources/list'), 100);
      await attacker.many(50, () => attacker.get('/api/resources?q=none'), 50);
      await attacker.many(50, () => attacker.get('/api/servers'), 50);
    },
  },
  {
    name: 'URIs of the maximum length',
    attack: async (attacker) => {
      const uris = Array.from({ length: 400 }, (_, n) => `page://${n}${'%20/a'.repeat(1600)}`);
      const wait = { name: 'wait_for_change', arguments: { uris, timeout_seconds: 1 } };
      await attacker.modern('tools/call', wait);
      await attacker.many(some(100), (n) => attacker.modern('resources/read', { uri: uris[n] }));
      const stream = await attacker.listen(uris);
      await stream.sees('an answer', ({ messages, ended }) => messages.length > 0 || ended);
    },
  },
  {
    name: 'many URIs that look like passwords and tokens',
    attack: async (attacker) => {
      for (const part of [':', '%3F', '%26token']) {
        const path = `/resources/x:%2F%2F${part.repeat(15_000 / part.length)}`;
        expect((await attacker.get(path)).status).toBeLessThan(500);
      }
      for (const part of [':', '?', '&token']) {
        await attacker.modern('resources/read', { uri: `x://${part.repeat(300_000 / part.length)}` });
      }
    },
  },
];

const subscriptions: Misbehaviour[] = [
  {
    name: 'listen requests for ten thousand URIs, then cancelled',
    attack: async (attacker) => {
      const stream = await attacker.listen(notes(10_000));
      await stream.sees('an answer', ({ messages, ended }) => messages.length > 0 || ended);
      stream.destroy();
    },
  },
  {
    name: 'one URI a hundred thousand times in one request',
    attack: async (attacker) => {
      const stream = await attacker.listen(Array.from({ length: 100_000 }, (_, n) => `note://twice-${n % 3}`));
      await stream.sees('an answer', ({ messages, ended }) => messages.length > 0 || ended);
    },
  },
  {
    name: 'listen requests that are cancelled at once',
    attack: (attacker) =>
      attacker.many(some(20), async () => {
        const listening = attacker.listen(notes(2000));
        const stream = await listening;
        stream.destroy();
      }),
  },
  {
    name: 'thousands of listen requests',
    attack: (attacker) => attacker.many(some(1000), (n) => attacker.listen([`note://of-attacker-${n}`])),
  },
  {
    name: 'storms of subscribe and unsubscribe',
    attack: async (attacker) => {
      const session = await attacker.session();
      await attacker.many(some(1000), (n) => {
        const method = n % 2 === 0 ? 'resources/subscribe' : 'resources/unsubscribe';
        return attacker.legacy(session, method, { uri: `note://storm-${n % 50}` });
      });
    },
  },
  {
    name: 'hundreds of calls that wait for thousands of URIs',
    attack: async (attacker) => {
      const wait = (uris: string[]) =>
        attacker.modern('tools/call', { name: 'wait_for_change', arguments: { uris, timeout_seconds: 2 } });
      const answer = await wait(notes(30_000));
      expect(JSON.stringify(answer.message)).toContain('LIMIT_EXCEEDED');
      await attacker.many(some(300), (n) => wait(notes(200).map((uri) => `${uri}-${n % 10}`)), 300);
    },
  },
  {
    name: 'long URIs on one listen stream after another',
    attack: (attacker) =>
      attacker.many(12, async (n) => {
        const uris = Array.from({ length: 400 }, (_, each) => `note://${n}-${each}${'x'.repeat(7900)}`);
        await attacker.listen(uris);
      }),
  },
  {
    name: 'calls that wait for a day, left at once',
    attack: async (attacker) => {
      const session = await attacker.session();
      const uris = Array.from({ length: 80 }, (_, n) => `note://${n}${'x'.repeat(400)}**`);
      const params = { name: 'wait_for_change', arguments: { uris, timeout_seconds: 80_000 } };
      await attacker.many(1500, async (n) => {
        const { headers, body } = rpcRequest('legacy', 'tools/call', params, n);
        await attacker.postAndLeave({ ...headers, ...session }, JSON.stringify(body));
      });
    },
  },
  {
    // The last one: its sessions are kept for a while, and use up this client's quota of 500.
    name: 'thousands of sessions',
    attack: (attacker) => attacker.many(isWhole ? 1000 : 600, () => attacker.session()),
  },
];

const streams: Misbehaviour[] = [
  {
    name: 'streams that are never read',
    attack: async (attacker, { change }) => {
      await attacker.many(100, async (n) => {
        const stream = n % 2 === 0 ? await attacker.listen(['note://watched']) : await attacker.events();
        stream.res.pause();
      });
      await change(500);
    },
  },
  {
    name: 'forged Last-Event-ID headers',
    attack: async (attacker) => {
      const ids = ['x', '-1', '0', '9'.repeat(500), '\u00ff\u00fe', 'abcdef012345-99999999', '__proto__'];
      await attacker.many(200, async (n) => {
        const stream = await attacker.events('', { 'last-event-id': ids[n % ids.length] ?? '' });
        expect(stream.res.statusCode).toBe(200);
      });
    },
  },
  {
    name: 'patterns of many stars',
    attack: async (attacker, { change }) => {
      const patterns = ['**'.repeat(3000), '*a'.repeat(3000), `note://${'**/'.repeat(2000)}x`, `${'a*'.repeat(3000)}!`];
      await attacker.many(100, (n) =>
        attacker.events(`?uri=${patterns[n % patterns.length]}&server=${'*'.repeat(500)}`),
      );
      await attacker.many(100, (n) => attacker.get(`/api/events?uri=${patterns[n % patterns.length]}`));
      const uris = patterns.map((pattern) => `${pattern}*`);
      const wait = { name: 'wait_for_change', arguments: { uris, timeout_seconds: 1 } };
      await Promise.all([attacker.modern('tools/call', wait), change(200)]);
    },
  },
  {
    name: 'a stream that is opened repeatedly',
    attack: async (attacker) => {
      const session = await attacker.session();
      await attacker.many(some(300), () => attacker.getStream(session));
    },
  },
];

export const groups = {
  'odd HTTP': http,
  'odd MCP': mcp,
  'long lists': lists,
  'many subscriptions': subscriptions,
  'odd streams': streams,
};
