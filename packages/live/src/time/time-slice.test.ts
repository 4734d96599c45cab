import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { TimeSlice } from './time-slice.ts';

describe('a time slice', () => {
  it('lasts its time, and pauses all loops that share it until the tick is over', async () => {
    const clock = new FakeClock();
    const slice = new TimeSlice(clock, 10);
    clock.advance(9);
    expect(slice.pause()).toBeUndefined();
    clock.advance(1);
    const pause = slice.pause();
    expect(pause).toBeDefined();
    expect(slice.pause()).toBe(pause);
    clock.tick();
    await pause;
    expect(slice.pause()).toBeUndefined();
  });
});
