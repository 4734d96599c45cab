// Requests that are too large, too slow, too many or not HTTP are refused with a message, and other clients are served.
import { type Socket, connect } from 'node:net';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { rpcRequest, post } from '../support/wire/raw-http.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

/** All bytes of the response until the other side closes. */
async function answerTo(hub: RunningHub, bytes: string): Promise<string> {
  const { socket, said } = await opened(hub);
  socket.write(bytes);
  await eventually('the end', () => socket.destroyed || socket.readableEnded);
  return said();
}

async function opened({ url }: RunningHub): Promise<{ socket: Socket; said: () => string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => void socket.once('connect', () => resolve()));
  return { socket, said: () => text };
}

describe('the hub', () => {
  it('refuses data that is not HTTP, and headers and bodies that are too large', async () => {
    await using hub = await runningHub();
    expect(await answerTo(hub, 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
    expect(await answerTo(hub, `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431/,
    );
    const { headers } = rpcRequest('modern', 'tools/list');
    expect((await post(`${hub.url}/mcp`, ' '.repeat(5 * 1024 * 1024), headers)).status).toBe(413);
    const patch = { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: 'x'.repeat(100_000) };
    const patched = await fetch(`${hub.url}/api/servers/x`, patch);
    expect(patched.status).toBe(429);
    expect(await patched.json()).toMatchObject({ error: { code: 'LIMIT_EXCEEDED' } });
    expect((await hub.get('/healthz')).status).toBe(200);
  });

  it('answers the next request of a client whose body was too large', async () => {
    await using hub = await runningHub();
    // If the body ends within the received bytes, the connection can be used again: hence several sizes.
    for (const size of [70_000, 200_000, 800_000, 2_000_000]) {
      for (const [body, status] of [
        ['x'.repeat(size), 429],
        ['x', 400],
      ] as const) {
        const headers = { 'Content-Type': 'application/json' };
        expect((await fetch(`${hub.url}/api/sessions`, { method: 'POST', headers, body })).status).toBe(status);
      }
    }
  });

  it('answers unusual paths with an error in the common shape', async () => {
    await using hub = await runningHub();
    for (const path of ['/mcp/%', '/mcp/a/b', '/mcp/', '/nothing', '/resources/%', '/resources/']) {
      const answer = await hub.get(path);
      expect([400, 404], path).toContain(answer.status);
      expect(await answer.json(), path).toMatchObject({ error: { code: expect.stringMatching(/URI|NOT_FOUND/) } });
    }
    expect(await answerTo(hub, 'GET //[ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 [24]/,
    );
  });

  it('serves others while one client sends an endless request and another one floods', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'here');
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    const slow = await Promise.all(Array.from({ length: 200 }, () => opened(hub)));
    for (const { socket } of slow) socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le');
    const { headers, body } = rpcRequest('modern', 'resources/read', { uri: 'note://nobody' });
    const flood = Promise.all(Array.from({ length: 500 }, () => post(`${hub.url}/mcp`, body, headers)));
    const client = await hub.connect('legacy');
    expect(await client.read('note://a')).toBe('here');
    expect((await flood).every(({ message }) => message.error !== undefined)).toBe(true);
    await client.close();
    for (const { socket } of slow) socket.destroy();
  });

  it.each([
    ['headers', 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '],
    [
      'a body',
      'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{',
    ],
    [
      'a body for its own routes',
      'PATCH /api/servers/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{',
    ],
  ])('disconnects a client that sends %s byte by byte', async (_what, beginning) => {
    await using hub = await runningHub({ limits: { headersMs: 300, requestMs: 600 } });
    const { socket, said } = await opened(hub);
    socket.write(beginning);
    const drip = setInterval(() => socket.write('x'), 50);
    await eventually('the end', () => socket.destroyed || socket.readableEnded);
    clearInterval(drip);
    expect(said()).toMatch(/^HTTP\/1.1 408|^$/);
    expect((await hub.get('/healthz')).status).toBe(200);
  });

  it('limits the number of connections, and accepts new ones when some have closed', async () => {
    await using hub = await runningHub({ limits: { connections: 3 } });
    const there = await Promise.all(Array.from({ length: 3 }, () => opened(hub)));
    expect(await answerTo(hub, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')).toBe('');
    for (const { socket } of there) socket.destroy();
    await eventually('room', () =>
      hub.get('/healthz').then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
});
