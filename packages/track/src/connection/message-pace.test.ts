import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { MessagePace } from './message-pace.ts';

it('lets a burst through, then two thousand messages a second', () => {
  const clock = new FakeClock();
  const pace = new MessagePace(clock);
  expect(pace.count(10_000)).toBe(0);
  expect(pace.count(2000)).toBe(1000);
  clock.advance(1000);
  expect(pace.count(0)).toBe(0);
  expect(pace.count(1)).toBeGreaterThan(0);
});

it('does not count messages from long ago', () => {
  const clock = new FakeClock();
  const pace = new MessagePace(clock);
  pace.count(12_000);
  clock.advance(60_000);
  expect(pace.count(10_000)).toBe(0);
});

it('resolves when more may be read', async () => {
  const clock = new FakeClock();
  const pace = new MessagePace(clock);
  let isRested = false;
  const resting = pace.rest(10_002).then(() => (isRested = true));
  clock.advance(0.5);
  await Promise.resolve();
  expect(isRested).toBe(false);
  clock.advance(0.5);
  await resting;
});
