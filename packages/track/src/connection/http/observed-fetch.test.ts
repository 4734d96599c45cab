import { getEventListeners } from 'node:events';
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { MessagePace } from '../message-pace.ts';
import { LargeBodies } from './large-bodies.ts';
import { observedFetch } from './observed-fetch.ts';
import { StreamPulse } from './stream-pulse.ts';

/** A session that opens its notification stream; `answer` is the server. */
function setup(answer: typeof fetch) {
  const clock = new FakeClock();
  const session = new AbortController();
  const refused: number[] = [];
  const observed = observedFetch(answer, {
    observer: {
      streamRequested: () => undefined,
      streamOpened: () => undefined,
      streamEnded: () => undefined,
      streamRefused: (status) => void refused.push(status),
      streamTooLarge: () => undefined,
      sessionGone: () => undefined,
      updated: () => false,
      unreadable: () => undefined,
      requestFailed: () => undefined,
    },
    clock,
    pulse: new StreamPulse({ clock, shortestMs: 1000, pulse: { ms: undefined } }),
    maxBytes: 1024,
    pace: new MessagePace(clock),
    large: new LargeBodies(),
  });
  const open = () => observed('http://server.test/mcp', { method: 'GET', signal: session.signal });
  return { clock, session, refused, open, listeners: () => getEventListeners(session.signal, 'abort').length };
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
