import { getEventListeners } from 'node:events';
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { MessageRateLimit } from '../bounds/message-rate-limit.ts';
import { LargeBodyQueue } from './body/large-body-queue.ts';
import { observedFetch } from './observed-fetch.ts';
import { StreamLiveness } from './stream/stream-liveness.ts';

/** A session that opens its notification stream; `answer` is the server. */
function setup(answer: typeof fetch) {
  const clock = new FakeClock();
  const session = new AbortController();
  const refused: number[] = [];
  const taken: string[] = [];
  const liveness = new StreamLiveness({ clock, shortestMs: 1000, keepAlive: { ms: undefined } });
  const observed = observedFetch(answer, {
    stream: {
      requested: () => undefined,
      opened: () => undefined,
      ended: () => undefined,
      refused: (status) => void refused.push(status),
    },
    events: {
      updated: (uri) => taken.push(uri) > 0,
      unreadable: () => undefined,
      lost: () => undefined,
      failed: () => undefined,
    },
    clock,
    liveness,
    maxBytes: 1024 * 1024,
    rateLimit: new MessageRateLimit(clock),
    large: new LargeBodyQueue(),
  });
  const open = () => observed('http://server.test/mcp', { method: 'GET', signal: session.signal });
  return {
    clock,
    session,
    refused,
    taken,
    liveness,
    open,
    listeners: () => getEventListeners(session.signal, 'abort').length,
  };
}

const headers = { 'content-type': 'text/event-stream' };

/** Like `fetch` at a server that never answers. */
const neverAnswers: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    const fail = () => reject(new Error('aborted'));
    if (init?.signal?.aborted === true) fail();
    init?.signal?.addEventListener('abort', fail);
  });

describe('the notification stream of a session', () => {
  it('is not requested once the session is aborted', async () => {
    const s = setup(neverAnswers);
    s.session.abort();
    await expect(s.open()).rejects.toThrow('aborted');
    expect(s.refused).toEqual([0]);
  });

  it.each([
    ['Text/Event-Stream; charset=utf-8', []],
    ['text/html', [405]],
  ])('is one if it has the content type: %s', async (type, refused) => {
    const s = setup(() => Promise.resolve(new Response(new ReadableStream(), { headers: { 'content-type': type } })));
    await s.open();
    expect(s.refused).toEqual(refused);
  });

  it('adds a listener to the signal of the session only while it is open', async () => {
    const s = setup(() => Promise.resolve(new Response(new ReadableStream(), { headers })));
    const stream = await s.open();
    expect(s.listeners()).toBe(1);
    await stream.body?.cancel();
    expect(s.listeners()).toBe(0);
  });

  it('leaves no listener when it fails or takes too long to open', async () => {
    const s = setup(neverAnswers);
    const opening = s.open();
    s.clock.advance(10_000);
    await expect(opening).rejects.toThrow('aborted');
    expect(s.listeners()).toBe(0);
  });

  it('ends with the session', async () => {
    const aborted: unknown[] = [];
    const s = setup((_input, init) => {
      init?.signal?.addEventListener('abort', () => aborted.push(init.signal?.reason));
      return Promise.resolve(new Response(new ReadableStream(), { headers }));
    });
    await s.open();
    s.session.abort('closed');
    expect(aborted).toEqual(['closed']);
  });
});

describe('a stream of updates', () => {
  const update = JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri: 'note://1' },
  });
  const hundred = new TextEncoder().encode(`data: ${update}\n\n`.repeat(100));
  const thousands = () => {
    let left = 300;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      left -= 1;
      if (left >= 0) controller.enqueue(hundred);
      else controller.close();
    };
    return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  };

  /** Opens it and reads it until reading pauses. */
  async function opened() {
    const s = setup(() => Promise.resolve(new Response(thousands(), { headers })));
    const reading = (await s.open()).body?.getReader().read();
    const settled = async () => {
      for (let turn = 0; turn < 1000; turn += 1) {
        s.clock.tick();
        await new Promise((resolve) => void setImmediate(resolve));
      }
    };
    await settled();
    return { ...s, reading, settled };
  }

  it('is read at the message rate limit, although the SDK gets none of its messages', async () => {
    const s = await opened();
    // A burst is free, then 2000 per second.
    expect(s.taken.length).toBe(10_100);
    s.clock.advance(1000);
    await s.settled();
    expect(s.taken.length).toBe(12_100);
  });

  it('ends at once, also while it is not being read', async () => {
    const s = await opened();
    s.liveness.endSilent(s.clock.now() + 1);
    expect(await s.reading).toMatchObject({ done: true });
  });
});
