import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ServerResponse, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { openSchedules } from '@tidings/schedules';
import { expect, it } from 'vitest';

const leaseMs = 60_000;

it('delivers again, marked as repeated, after a process was killed during a delivery', async () => {
  const received: { body: unknown; response: ServerResponse }[] = [];
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8');
    request.once('data', (body: string) => received.push({ body: JSON.parse(body), response }));
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const ntfyUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const place = mkdtempSync(join(tmpdir(), 'tidings-crash-'));
  const child = startChild(place, ntfyUrl);
  try {
    await eventually('the first delivery', () => received.length === 1);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    // A clock at which the lease has already ended.
    const clock = { ...systemClock, date: () => Date.now() + leaseMs };
    const server = await openSchedules({ place, ntfyUrl, clock });
    await eventually('the second delivery', () => received.length === 2);
    received[1]?.response.end('{}');
    await server.close();
    expect(received.map(({ body }) => body)).toEqual([
      { topic: 'crash', message: 'Once or twice' },
      { topic: 'crash', message: 'Once or twice', tags: ['repeat'] },
    ]);
  } finally {
    child.kill('SIGKILL');
    receiver.closeAllConnections();
    receiver.close();
    rmSync(place, { recursive: true, force: true });
  }
});

/** Starts a process with a notification that is due now, for a receiver that does not answer. */
function startChild(place: string, ntfyUrl: string): ChildProcess {
  const source = new URL('../../packages/schedules/dist/source/', import.meta.url).href;
  const program = `
    import { openEmbeddedBackend } from '${source}embedded/embedded-backend.js';
    import { Destinations } from '${source}destination/destinations.js';
    import { ntfyDestination } from '${source}destination/ntfy-destination.js';
    const [place, url] = process.argv.slice(1);
    const backend = await openEmbeddedBackend({ place, destinations: Destinations.only(ntfyDestination({ url })) });
    await backend.addOneOff({ topic: 'crash', message: 'Once or twice', due: Date.now() }, 'test');
    setInterval(() => undefined, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', program, '--', place, ntfyUrl], { stdio: 'inherit' });
}
