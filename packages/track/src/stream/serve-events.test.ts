import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { systemClock } from '@tidings/live';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventStreamHandler } from './event-stream-handler.ts';
import { serveEvents } from './serve-events.ts';

/** The address of an event stream that is served at this host. */
async function servedAt(host: string): Promise<string> {
  const journal = {
    start: 0,
    end: 0,
    cursor: 'c0',
    at: () => undefined,
    follow: () => () => undefined,
    positionAfter: () => 0,
  };
  const events = new EventStreamHandler({ journal, clock: systemClock, heartbeatMs: 60_000, maxReaders: 10 });
  const { url, close } = await serveEvents(events, { host });
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
    const url = await servedAt(host);
    expect(await statusOf(url, 'rebound.example')).toBe(403);
    expect(await statusOf(url, new URL(url).host)).toBe(200);
    expect(await statusOf(url, 'localhost:1')).toBe(200);
  });

  it('at every address is served under any name', async () => {
    const url = await servedAt('0.0.0.0');
    expect(await statusOf(url, 'tracker.example')).toBe(200);
  });
});
