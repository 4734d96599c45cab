import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { every } from './every.ts';

describe('every', () => {
  it('runs at each interval until it is cancelled', () => {
    const clock = new FakeClock();
    const times: number[] = [];
    const timer = every(clock, 10, () => times.push(clock.now()));
    clock.advance(35);
    timer.cancel();
    clock.advance(35);
    expect([times, clock.waiting]).toEqual([[10, 20, 30], 0]);
  });

  it('can be cancelled by its own task', () => {
    const clock = new FakeClock();
    let runs = 0;
    const timer = every(clock, 10, () => {
      runs += 1;
      timer.cancel();
    });
    clock.advance(50);
    expect([runs, clock.waiting]).toEqual([1, 0]);
  });
});
