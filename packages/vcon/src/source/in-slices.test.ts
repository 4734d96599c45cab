import { TimeSlice, eventLoopTurn, systemClock } from '@tidings/live/time';
import { expect, it } from 'vitest';
import { inSlices } from './in-slices.ts';

it('lets other events be handled between the steps of many', async () => {
  let [now, inThisTurn, mostInOneTurn] = [0, 0, 0];
  const slice = new TimeSlice({ ...systemClock, now: () => now }, 10);
  // Each step takes as long as a time slice lasts.
  function* steps(name: string) {
    for (let step = 0; step < 10; step += 1) {
      now += 10;
      if (inThisTurn === 0) void eventLoopTurn().then(() => (inThisTurn = 0));
      inThisTurn += 1;
      mostInOneTurn = Math.max(mostInOneTurn, inThisTurn);
      yield;
    }
    return name;
  }
  expect(await Promise.all(['a', 'b', 'c'].map((name) => inSlices(steps(name), slice)))).toEqual(['a', 'b', 'c']);
  expect(mostInOneTurn).toBe(1);
});
