import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import { expect, it } from 'vitest';
import { drained } from './drained.ts';

it.each([
  ['takes it', 64 * 1024],
  ['is closed', undefined],
])('waits until the socket %s', async (_, last) => {
  const clock = new FakeClock();
  let buffered: number | undefined = 64 * 1024 + 1;
  let isDrained = false;
  const waiting = drained(clock, () => buffered).then(() => (isDrained = true));
  for (let n = 0; n < 3; n += 1) {
    clock.advance(20);
    await eventLoopTurn();
  }
  expect(isDrained).toBe(false);
  buffered = last;
  clock.advance(20);
  await waiting;
});
