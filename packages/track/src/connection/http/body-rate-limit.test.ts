import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { MessageRateLimit } from '../message-rate-limit.ts';
import { BodyRateLimit } from './body-rate-limit.ts';

const [megabyte, piece] = [1024 * 1024, 16 * 1024];

/** For how many milliseconds reading rests after so many pieces, on a stream or in an answer of at most a megabyte. */
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

it('slows down an answer that comes byte by byte, or is followed by more than it could be', () => {
  expect(restsAfter(20_000, { bytes: 1, answer: megabyte })).toBeGreaterThan(4900);
  expect(restsAfter(4096, { bytes: piece, answer: megabyte })).toBeGreaterThan(3000);
});

it('counts neither an ordinary answer nor a large one', () => {
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
