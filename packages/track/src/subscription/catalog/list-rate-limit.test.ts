import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { ListRateLimit } from './list-rate-limit.ts';

/** How often a list is read that is requested at every moment, if each read takes `tookMs`. */
async function readingsWithin(ms: number, tookMs: number): Promise<number> {
  const clock = new FakeClock();
  const rateLimit = new ListRateLimit(clock);
  let count = 0;
  while (clock.now() < ms) {
    await rateLimit.measure(async () => {
      count += 1;
      clock.advance(tookMs);
    });
    clock.advance(rateLimit.waitMs);
  }
  return count;
}

it('lets a list be read at once, and again after a short while', async () => {
  const clock = new FakeClock();
  const rateLimit = new ListRateLimit(clock);
  expect(rateLimit.waitMs).toBe(0);
  await rateLimit.measure(async () => undefined);
  expect(rateLimit.waitMs).toBe(100);
  clock.advance(100);
  expect(rateLimit.waitMs).toBe(0);
});

it('limits reads of a list that changes constantly to about one per second', async () => {
  expect(await readingsWithin(60_000, 1)).toBeLessThan(90);
});

it('spends at most a fifth of the time on a slow list', async () => {
  expect(await readingsWithin(100_000, 1000)).toBeLessThanOrEqual(21);
});

it('delays the next read after a failed one too', async () => {
  const rateLimit = new ListRateLimit(new FakeClock());
  await expect(rateLimit.measure(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(rateLimit.waitMs).toBe(100);
});

it('has the reason of the last failure until the next read', async () => {
  const clock = new FakeClock();
  const rateLimit = new ListRateLimit(clock);
  await rateLimit.measure(() => Promise.reject(new Error('no'))).catch(() => undefined);
  expect(() => rateLimit.throwFailure()).toThrow('no');
  clock.advance(100);
  expect(() => rateLimit.throwFailure()).not.toThrow();
  await rateLimit.measure(async () => undefined);
  expect(() => rateLimit.throwFailure()).not.toThrow();
});

it('does not delay the first read of another session', async () => {
  const rateLimit = new ListRateLimit(new FakeClock());
  await rateLimit.measure(async () => undefined);
  rateLimit.reset();
  expect(rateLimit.waitMs).toBe(0);
});
