import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { systemClock } from '@tidings/live';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventStreamHandler } from './event-stream-handler.ts';
import { type EventServerOptions, serveEvents } from './serve-events.ts';

/** The address of an event stream that is served with these options. */
async function served(options: EventServerOptions): Promise<string> {
  const journal = {
    start: 0,
    end: 0,
    cursor: 'c0',
    at: () => undefined,
    follow: () => () => undefined,
    positionAfter: () => 0,
  };
  const events = new EventStreamHandler({ journal, clock: systemClock, heartbeatMs: 60_000, maxReaders: 10 });
  const { url, close } = await serveEvents(events, options);
  onTestFinished(close);
  return url;
}

/** The status of a request with this Host header; the stream itself is closed. */
function statusOf(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const req = request(url, { headers: { Host: host } }, (res) => {
      resolve(res.statusCode);
      res.destroy();
    });
    req.on('error', reject).end();
  });
}

const addresses = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
const hasIpv6 = addresses.includes('::1');
/** Elsewhere, 127.0.0.1 is the only address of its network. */
const hasMoreLoopback = process.platform === 'linux';

describe('an event stream of its own server', () => {
  it.for([
    { host: '127.0.0.1', isHere: true },
    { host: 'localhost', isHere: true },
    { host: '127.0.0.2', isHere: hasMoreLoopback },
    { host: '::1', isHere: hasIpv6 },
  ])('at $host is not served under the name of a site', async ({ host, isHere }, { skip }) => {
    skip(!isHere, `This machine does not have the address ${host}.`);
    const url = await served({ host });
    expect(await statusOf(url, 'rebound.example')).toBe(403);
    expect(await statusOf(url, new URL(url).host)).toBe(200);
    expect(await statusOf(url, 'localhost:1')).toBe(200);
  });

  it('at every address is served under any name', async () => {
    const url = await served({ host: '0.0.0.0' });
    expect(await statusOf(url, 'tracker.example')).toBe(200);
  });

  it('answers a request for metrics', async () => {
    const url = await served({ metrics: () => Promise.resolve('tidings_up 1') });
    const answer = await fetch(new URL('/metrics', url));
    expect([answer.status, await answer.text()]).toEqual([200, 'tidings_up 1']);
  });

  it('answers with 500 if metrics() resolves with something other than text, as plain JavaScript may', async () => {
    const logged: object[] = [];
    const log = { warn: () => undefined, error: (fields: object) => void logged.push(fields) };
    const url = await served({ metrics: () => Promise.resolve(JSON.parse('{}')), log });
    const answer = await fetch(new URL('/metrics', url), { signal: AbortSignal.timeout(5000) });
    expect(answer.status).toBe(500);
    expect(logged).toHaveLength(1);
    expect(await statusOf(url, 'localhost')).toBe(200);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('secret'))],
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
  ])('answers with 500 and logs the reason if metrics() %s', async (_, metrics) => {
    const logged: object[] = [];
    const log = { warn: () => undefined, error: (fields: object) => void logged.push(fields) };
    const url = await served({ metrics, log });
    const answer = await fetch(new URL('/metrics', url));
    expect([answer.status, await answer.text()]).toEqual([
      500,
      'The metrics cannot be read; the log has the reason.\n',
    ]);
    expect(logged).toEqual([{ err: new Error('secret') }]);
    expect(await statusOf(url, 'localhost')).toBe(200);
  });
});
