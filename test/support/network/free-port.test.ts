import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

const range = '/proc/sys/net/ipv4/ip_local_port_range';

it.skipIf(process.platform !== 'linux')(
  'a free port is none that the system would give to another server',
  async () => {
    const [lowest = 0] = readFileSync(range, 'utf8').split(/\s+/).map(Number);
    const ports: number[] = [];
    for (let n = 0; n < 20; n += 1) ports.push(await freePort());
    expect(ports.filter((port) => port >= lowest)).toEqual([]);
    expect(new Set(ports).size).toBe(20);
  },
);

it('a free port is used by no server', async () => {
  const next = (await freePort()) + 1;
  const server = createServer().listen(next, '127.0.0.1');
  await once(server, 'listening');
  expect(await freePort()).not.toBe(next);
  server.close();
});
