import { FakeClock, eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../contract/event.ts';
import { EventStreamClient } from './event-stream-client.ts';
import type { StreamState } from './followed-stream.ts';

const timestamp = '2026-11-16T08:00:00.000Z';
const handshake = { type: 'handshake', status: 'ready', cursor: 'c0', timestamp };

/** A client and its requests, each of which the test answers. */
function setup(cursor?: string) {
  const clock = new FakeClock();
  const states: StreamState[] = [];
  const events: [string, string | undefined][] = [];
  const requests: Exchange[] = [];
  const client = new EventStreamClient({
    clock,
    cursor,
    pauses: { firstMs: 500, longestMs: 1000 },
    request: (after, signal) => {
      const exchange = new Exchange(after, signal);
      requests.push(exchange);
      return exchange.response;
    },
    event: (event: StreamEvent, at) => events.push([event.type, at]),
    state: (state) => states.push(state),
  });
  client.start();
  const last = () => {
    const exchange = requests.at(-1);
    if (exchange === undefined) throw new Error('There is no request.');
    return exchange;
  };
  return { clock, client, states, events, requests, last };
}

class Exchange {
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  readonly response: Promise<Response>;
  #respond: (response: Response) => void = () => undefined;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(after: string | undefined, signal: AbortSignal) {
    this.after = after;
    this.signal = signal;
    this.response = new Promise((resolve) => {
      this.#respond = resolve;
    });
  }

  refuse(status: number): void {
    this.#respond(new Response(null, { status }));
  }

  open(): void {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#body = controller) });
    this.#respond(new Response(body));
    this.signal.addEventListener('abort', () => this.#body?.error(new Error('aborted')));
    this.send(handshake);
  }

  send(data: object, id?: string): void {
    this.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
  }

  write(text: string): void {
    this.#body?.enqueue(new TextEncoder().encode(text));
  }

  end(): void {
    this.#body?.close();
  }
}

const gap = { type: 'gap', timestamp };

describe('the client of an event stream', () => {
  it('begins at the given cursor, and returns each event with the cursor after it', async () => {
    const s = setup('c0');
    expect(s.last().after).toBe('c0');
    s.last().open();
    s.last().send(gap, 'c1');
    await eventually('the gap', () => s.events.length === 2);
    expect(s.events).toEqual([
      ['handshake', 'c0'],
      ['gap', 'c1'],
    ]);
    expect(s.states).toEqual(['connecting', 'open']);
    s.client.close();
    expect([s.last().signal.aborted, s.clock.waiting]).toEqual([true, 0]);
  });

  it('continues after the last event when the stream ends', async () => {
    const s = setup();
    s.last().open();
    s.last().send(gap, 'c1');
    s.last().end();
    await eventually('it waits', () => s.states.at(-1) === 'waiting');
    s.clock.advance(500);
    expect([s.requests.length, s.last().after]).toEqual([2, 'c1']);
    s.client.close();
  });

  it('skips events of unknown types', async () => {
    const s = setup();
    s.last().open();
    s.last().send({ type: 'other', timestamp }, 'c1');
    s.last().send(gap, 'c2');
    await eventually('the gap', () => s.events.length === 2);
    expect(s.events.at(-1)).toEqual(['gap', 'c2']);
    s.client.close();
  });

  it.each([401, 403])('reports a refusal (%i), and tries again', async (status) => {
    const s = setup();
    s.last().refuse(status);
    await eventually('it is refused', () => s.states.at(-1) === 'refused');
    s.clock.advance(500);
    expect(s.requests).toHaveLength(2);
    s.client.close();
  });

  it('opens the stream again when heartbeats are missing, and not before', async () => {
    const s = setup();
    s.last().open();
    await eventually('it is open', () => s.states.at(-1) === 'open');
    s.clock.advance(30_000);
    s.last().write(': heartbeat\n\n');
    await new Promise((resolve) => setImmediate(resolve));
    s.clock.advance(38_000);
    expect(s.requests).toHaveLength(1);
    s.clock.advance(1000);
    expect([s.requests.length, s.requests[0]?.signal.aborted]).toEqual([2, true]);
    s.client.close();
  });

  it('waits with growing time limits for the handshake', () => {
    const s = setup();
    const opened: number[] = [];
    for (let second = 1; second <= 45; second += 1) {
      const before = s.requests.length;
      s.clock.advance(1000);
      if (s.requests.length > before) opened.push(second);
    }
    expect(opened).toEqual([5, 14, 31]);
    s.client.close();
  });

  it('opens the stream again after sleep', async () => {
    const s = setup();
    s.last().open();
    await eventually('it is open', () => s.states.at(-1) === 'open');
    s.client.wake();
    expect(s.requests).toHaveLength(1);
    s.clock.jump(60_000);
    s.client.wake();
    expect(s.requests).toHaveLength(2);
    s.client.close();
  });
});
