import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, get } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { waitingBytes } from './send-progress.ts';
import { SseStream } from './sse-stream.ts';
import { SseStreams } from './sse-streams.ts';

const keepAliveMs = 1000;
let res: ServerResponse;
let close: () => Promise<void>;
let clock: FakeClock;
let streams: SseStreams;
let client: IncomingMessage;
let stream: SseStream;
let events: string[];

beforeEach(async () => {
  clock = new FakeClock();
  streams = new SseStreams({ clock, keepAliveMs, limit: 1, comment: 'heartbeat', patience: 3 });
  events = [];
  const http = createServer((_req, response) => {
    res = response;
    const owner = { streamClosed: () => events.push('closed'), streamDrained: () => events.push('drained') };
    stream = new SseStream(response, streams, owner, { 'X-Kind': 'test' });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  const port = typeof address === 'object' && address ? address.port : undefined;
  [client] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response');
  close = async () => {
    client.destroy();
    http.closeAllConnections();
    await new Promise<void>((resolve) => void http.close(() => resolve()));
  };
});
afterEach(() => close());

function text(): Promise<string> {
  client.setEncoding('utf8');
  return new Promise((resolve) => {
    let received = '';
    client.on('data', (chunk: string) => (received += chunk));
    client.on('end', () => resolve(received));
  });
}

/** Fills the buffers of a client that does not read, until the kernel accepts no more either. */
async function fill(): Promise<void> {
  client.pause();
  await eventually('the socket is full', async () => {
    while (stream.ready) stream.write('x'.repeat(256 * 1024));
    const before = res.writableLength;
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    return !stream.ready && res.writableLength === before;
  });
}

/** Reads slowly. */
async function readSome(bytes: number): Promise<void> {
  let received = 0;
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer) => {
      received += chunk.length;
      if (received < bytes) return;
      client.off('data', take).pause();
      resolve();
    };
    client.on('data', take).resume();
  });
}

describe('an event stream', () => {
  it('has the usual headers and those of its owner', () => {
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-kind': 'test',
    });
    expect(client.headers['transfer-encoding']).toBeUndefined();
  });

  it('sends text, comments at each interval, and the last text at its end', async () => {
    const received = text();
    stream.write('data: 1\n\n');
    stream.write('data: é\n\n', 'utf8');
    clock.advance(2 * keepAliveMs);
    stream.end('data: 2\n\n');
    expect(await received).toBe('data: 1\n\ndata: é\n\n: heartbeat\n\n: heartbeat\n\ndata: 2\n\n');
    await eventually('it is closed', () => events.includes('closed'));
  });

  it('sends long text with any characters completely', async () => {
    const received = text();
    const long = `data: ${'x'.repeat(64 * 1024 - 7)}${'😀'.repeat(50_000)}\n\n`;
    stream.write(long, 'utf8');
    stream.end();
    expect(await received).toBe(long);
  });

  it('counts against the limit until the client is gone', async () => {
    expect(() => streams.assertRoom()).toThrow('its limit of 1 open streams');
    expect(() => streams.assertRoom(1)).not.toThrow();
    client.destroy();
    await eventually('it is closed', () => streams.size === 0);
    clock.advance(keepAliveMs);
    expect([events, clock.waiting]).toEqual([['closed'], 0]);
  });

  it('reports when the socket has room again', async () => {
    await fill();
    events.length = 0;
    client.resume();
    await eventually('it is drained', () => events.includes('drained'));
    expect(stream.ready).toBe(true);
  });

  it('stays open while the client reads one large event slowly', async () => {
    client.pause();
    stream.write(`data: ${'x'.repeat(24 * 1024 * 1024)}\n\n`);
    for (let n = 0; n < 6; n += 1) {
      clock.advance(keepAliveMs);
      expect(res.destroyed).toBe(false);
      const before = String(waitingBytes(res));
      await readSome(3 * 1024 * 1024);
      await eventually('more to leave', () => String(waitingBytes(res)) !== before);
    }
    expect(stream.ready).toBe(false);
  });

  it('is closed when the client reads nothing for the given number of intervals', async () => {
    await fill();
    clock.advance(2 * keepAliveMs);
    expect(res.destroyed).toBe(false);
    clock.advance(keepAliveMs);
    expect(res.destroyed).toBe(true);
  });
});
