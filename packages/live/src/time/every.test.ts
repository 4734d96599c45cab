import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { eventLoopTurn } from './clock.ts';
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

  it('begins the next interval when the promise of the task has settled', async () => {
    const clock = new FakeClock();
    const ends: (() => void)[] = [];
    const timer = every(clock, 10, () => new Promise<void>((resolve) => void ends.push(resolve)));
    clock.advance(50);
    expect([ends.length, clock.waiting]).toEqual([1, 0]);
    ends[0]?.();
    await eventLoopTurn();
    clock.advance(10);
    expect(ends).toHaveLength(2);
    timer.cancel();
    ends[1]?.();
    await eventLoopTurn();
    expect(clock.waiting).toBe(0);
  });

  it('asks for the length of each interval', () => {
    const clock = new FakeClock();
    const times: number[] = [];
    every(
      clock,
      () => 10 * (times.length + 1),
      () => times.push(clock.now()),
    );
    clock.advance(60);
    expect(times).toEqual([10, 30, 60]);
  });
});
