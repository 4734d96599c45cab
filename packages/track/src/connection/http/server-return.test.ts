import { type Server, createServer } from 'node:net';
import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { untilPortOpens } from './server-return.ts';

async function listen(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return Number(Object(server.address()).port);
}

describe('the return of a server', () => {
  it('shows when its port opens', async () => {
    const before = await listen(0);
    const port = portOf(before);
    await new Promise((resolve) => before.close(resolve));
    const watching = new AbortController();
    let isBack = false;
    const back = untilPortOpens(new URL(`http://127.0.0.1:${port}/mcp`), systemClock, watching.signal);
    void back.then(() => (isBack = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isBack).toBe(false);
    const after = await listen(port);
    await eventually('its return', () => isBack);
    watching.abort();
    after.close();
  });

  it('does not show if the port was open all the time', async () => {
    let connections = 0;
    const server = await listen(0);
    server.on('connection', () => (connections += 1));
    const watching = new AbortController();
    let isBack = false;
    void untilPortOpens(new URL(`http://127.0.0.1:${portOf(server)}/mcp`), systemClock, watching.signal).then(
      () => (isBack = true),
    );
    await eventually('the question', () => connections === 1);
    expect(isBack).toBe(false);
    watching.abort();
    server.close();
  });
});
