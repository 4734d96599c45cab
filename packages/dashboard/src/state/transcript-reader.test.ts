import { FakeClock, eventually } from '@tidings/live/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TranscriptReader } from './transcript-reader.ts';

const entry = (id: number) => ({ id, timestamp: '2026-11-18T08:00:00.000Z', kind: 'message', text: `line ${id}` });

/** A hub with one session: its list of entries, and its streams, to which the test writes. */
class FakeHub {
  readonly clock = new FakeClock();
  readonly after: (string | null)[] = [];
  isGone = false;
  listed: object[] = [];
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  fetch = (_address: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (this.isGone) return Promise.resolve(Response.json({}, { status: 404 }));
    if (headers.get('accept') !== 'text/event-stream') return Promise.resolve(Response.json({ entries: this.listed }));
    this.after.push(headers.get('last-event-id'));
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#stream = controller) });
    const stream = this.#stream;
    init.signal?.addEventListener('abort', () => stream?.error(new Error('aborted')));
    return Promise.resolve(new Response(body));
  };

  send(data: object): void {
    this.#stream?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(data)}\n\n`));
  }

  end(): void {
    this.#stream?.close();
  }
}

describe('a transcript', () => {
  let hub: FakeHub;
  let reader: TranscriptReader;
  const ids = () => reader.entries.map(({ id }) => id);
  const isFollowed = (times: number) => eventually('it is followed', () => hub.after.length === times);

  beforeEach(() => {
    hub = new FakeHub();
    vi.stubGlobal('requestAnimationFrame', () => 0);
    vi.stubGlobal('fetch', hub.fetch);
    reader = new TranscriptReader('a', hub.clock);
  });
  afterEach(() => {
    reader.close();
    vi.unstubAllGlobals();
  });

  it('is listed, then followed after the last entry of the list', async () => {
    hub.listed = [entry(1), entry(2)];
    reader.start();
    await isFollowed(1);
    expect([reader.isRead, ids(), hub.after]).toEqual([true, [1, 2], ['2']]);
    hub.send(entry(3));
    await eventually('the entry', () => ids().length === 3);
  });

  it('is listed again when its stream ends, since a restarted hub counts from 1', async () => {
    hub.listed = [entry(7)];
    reader.start();
    await isFollowed(1);
    hub.listed = [entry(1)];
    hub.end();
    await eventually('a retry is planned', () => hub.clock.waiting === 2);
    hub.clock.advance(1500);
    await isFollowed(2);
    expect([ids(), hub.after]).toEqual([[1], ['7', '1']]);
  });

  it('is read again when its stream is silent for longer than two heartbeats', async () => {
    reader.start();
    await isFollowed(1);
    hub.clock.advance(30_000);
    expect(hub.after).toHaveLength(1);
    hub.listed = [entry(1)];
    hub.clock.advance(10_000);
    await isFollowed(2);
    expect(ids()).toEqual([1]);
  });

  it('ends with its session', async () => {
    reader.start();
    await isFollowed(1);
    hub.isGone = true;
    hub.end();
    await eventually('a retry is planned', () => hub.clock.waiting === 2);
    hub.clock.advance(1500);
    await eventually('nothing waits', () => hub.clock.waiting === 0);
  });
});
