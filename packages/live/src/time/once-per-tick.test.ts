import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { oncePerTick } from './once-per-tick.ts';

it('runs the task once after each tick in which it was asked for', () => {
  const clock = new FakeClock();
  let runs = 0;
  const ask = oncePerTick(clock, () => void (runs += 1));
  ask();
  ask();
  expect(runs).toBe(0);
  clock.tick();
  clock.tick();
  expect(runs).toBe(1);
  ask();
  clock.tick();
  expect(runs).toBe(2);
});

it('runs again if the task asks for it, or has failed', () => {
  const clock = new FakeClock();
  let runs = 0;
  const ask: () => void = oncePerTick(clock, () => {
    runs += 1;
    if (runs === 1) ask();
    if (runs === 2) throw new Error('broken');
  });
  ask();
  expect(() => clock.tick()).toThrow('broken');
  ask();
  clock.tick();
  expect(runs).toBe(3);
});
