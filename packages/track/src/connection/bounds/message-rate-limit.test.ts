import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { MessageRateLimit } from './message-rate-limit.ts';

it('lets a burst through, then two thousand messages a second', () => {
  const clock = new FakeClock();
  const rateLimit = new MessageRateLimit(clock);
  expect(rateLimit.count(10_000)).toBe(0);
  expect(rateLimit.count(2000)).toBe(1000);
  clock.advance(1000);
  expect(rateLimit.count(0)).toBe(0);
  expect(rateLimit.count(1)).toBeGreaterThan(0);
});

it('does not count messages from long ago', () => {
  const clock = new FakeClock();
  const rateLimit = new MessageRateLimit(clock);
  rateLimit.count(12_000);
  clock.advance(60_000);
  expect(rateLimit.count(10_000)).toBe(0);
});

it('resolves when more may be read', async () => {
  const clock = new FakeClock();
  const rateLimit = new MessageRateLimit(clock);
  let isRested = false;
  const resting = rateLimit.rest(10_002).then(() => (isRested = true));
  clock.advance(0.5);
  await Promise.resolve();
  expect(isRested).toBe(false);
  clock.advance(0.5);
  await resting;
});
