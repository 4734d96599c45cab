// Odd HTTP.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { rpcRequest } from '../../../support/wire/raw-http.ts';
import { type Misbehaviour, notes, some } from '../misbehaviour.ts';

const refusal = /^HTTP\/1\.1 (400|408|411|413|414|431|500|501)|^$/;

async function drained(socket: Socket): Promise<void> {
  const done = new AbortController();
  await Promise.race(['drain', 'close'].map((event) => once(socket, event, { signal: done.signal })));
  done.abort();
}

export const oddHttp: readonly Misbehaviour[] = [
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
