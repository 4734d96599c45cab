import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { RunnableClock } from './runnable-clock.ts';

it('continues after its processes have ended, and is never faster than real time', async () => {
  // A running process, and an id that no process has.
  const pids = [process.pid, 2 ** 22 + 1];
  const began = performance.now();
  await using clock = new RunnableClock(() => pids.splice(0, 1));
  await clock.pass(100);
  expect(clock.now()).toBeGreaterThanOrEqual(100);
  expect(clock.now()).toBeLessThanOrEqual(performance.now() - began);
  await eventually('a share', () => clock.waitedShare >= 0);
});

it('does not count time in which the suite itself was delayed', async () => {
  await using clock = new RunnableClock(() => []);
  await clock.pass(10);
  const [before, began] = [clock.now(), performance.now()];
  while (performance.now() - began < 500);
  await clock.pass(1);
  expect(clock.now() - before).toBeLessThan(400);
});
