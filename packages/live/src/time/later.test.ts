import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { Later } from './later.ts';

function later() {
  const clock = new FakeClock();
  const times: number[] = [];
  const task = new Later(clock, () => times.push(clock.now()));
  return { clock, times, task };
}

it('runs once for all requests until then, after the time of the first', () => {
  const { clock, times, task } = later();
  task.request(100);
  clock.advance(50);
  task.request(10);
  task.request(100);
  clock.advance(1000);
  expect(times).toEqual([100]);
  task.request(100);
  clock.advance(100);
  expect(times).toEqual([100, 1150]);
});

it('does not run after it was cancelled, until it is requested again', () => {
  const { clock, times, task } = later();
  task.request(100);
  task.cancel();
  expect(clock.waiting).toBe(0);
  task.request(200);
  clock.advance(200);
  expect(times).toEqual([200]);
});

it('may be requested by its own task', () => {
  const clock = new FakeClock();
  let runs = 0;
  const task: Later = new Later(clock, () => {
    runs += 1;
    task.request(10);
  });
  task.request(10);
  clock.advance(30);
  expect(runs).toBe(3);
});
