import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { ListPace } from './list-pace.ts';

/** How often a list is read that is asked for again at every moment, each reading taking `tookMs`. */
async function readingsWithin(ms: number, tookMs: number): Promise<number> {
  const clock = new FakeClock();
  const pace = new ListPace(clock);
  let count = 0;
  while (clock.now() < ms) {
    await pace.measure(async () => {
      count += 1;
      clock.advance(tookMs);
    });
    clock.advance(pace.waitMs);
  }
  return count;
}

it('lets a list be read at once, and again after a short while', async () => {
  const clock = new FakeClock();
  const pace = new ListPace(clock);
  expect(pace.waitMs).toBe(0);
  await pace.measure(async () => undefined);
  expect(pace.waitMs).toBe(100);
  clock.advance(100);
  expect(pace.waitMs).toBe(0);
});

it('reads a list that changes all the time about once a second', async () => {
  expect(await readingsWithin(60_000, 1)).toBeLessThan(90);
});

it('spends at most a fifth of the time on a list that takes long', async () => {
  expect(await readingsWithin(100_000, 1000)).toBeLessThanOrEqual(21);
});

it('holds back after a reading that failed, too', async () => {
  const pace = new ListPace(new FakeClock());
  await expect(pace.measure(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(pace.waitMs).toBe(100);
});

it('says why the last reading failed until the next one', async () => {
  const clock = new FakeClock();
  const pace = new ListPace(clock);
  await pace.measure(() => Promise.reject(new Error('no'))).catch(() => undefined);
  expect(() => pace.throwFailure()).toThrow('no');
  clock.advance(100);
  expect(() => pace.throwFailure()).not.toThrow();
  await pace.measure(async () => undefined);
  expect(() => pace.throwFailure()).not.toThrow();
});

it('does not hold back the first reading of another session', async () => {
  const pace = new ListPace(new FakeClock());
  await pace.measure(async () => undefined);
  pace.reset();
  expect(pace.waitMs).toBe(0);
});
