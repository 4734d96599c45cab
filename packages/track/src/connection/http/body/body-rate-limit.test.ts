import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { MessageRateLimit } from '../../bounds/message-rate-limit.ts';
import { BodyRateLimit } from './body-rate-limit.ts';

const [megabyte, piece] = [1024 * 1024, 16 * 1024];

/** The milliseconds of pauses after this many pieces, on a stream or in a response of at most a megabyte. */
function restsAfter(
  pieces: number,
  { bytes, parts = 0, answer = 0 }: { bytes: number; parts?: number; answer?: number },
) {
  const clock = new FakeClock();
  const rateLimit = new MessageRateLimit(clock);
  const body = new BodyRateLimit(rateLimit, answer);
  for (let n = 0; n < pieces; n += 1) {
    body.took(new Uint8Array(bytes), parts);
    void body.rest();
  }
  return rateLimit.count(0);
}

it('slows down a stream of small pieces, of many lines in a piece, and of large messages', () => {
  expect(restsAfter(20_000, { bytes: 1 })).toBeCloseTo(5000);
  expect(restsAfter(3, { bytes: piece, parts: 8192 })).toBeGreaterThan(5000);
  expect(restsAfter(4096, { bytes: piece })).toBeGreaterThan(3000);
});

it('slows down a response that arrives byte by byte, or is longer than announced', () => {
  expect(restsAfter(20_000, { bytes: 1, answer: megabyte })).toBeGreaterThan(4900);
  expect(restsAfter(4096, { bytes: piece, answer: megabyte })).toBeGreaterThan(3000);
});

it('does not slow down ordinary and large responses', () => {
  const clock = new FakeClock();
  const rateLimit = new MessageRateLimit(clock);
  for (let n = 0; n < 20_000; n += 1) {
    const body = new BodyRateLimit(rateLimit, megabyte);
    body.took(new Uint8Array(20), 1);
    body.took(new Uint8Array(100), 1);
    expect(body.rest()).toBeUndefined();
  }
  expect(restsAfter(megabyte / piece, { bytes: piece, answer: megabyte })).toBe(0);
});
