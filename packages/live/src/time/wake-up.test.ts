import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { eventLoopTurn } from './clock.ts';
import { WakeUp, type WaitBounds } from './wake-up.ts';

function waits() {
  const clock = new FakeClock();
  const wakeUp = new WakeUp(clock);
  const ended: string[] = [];
  const wait = (name: string, bounds?: WaitBounds) => void wakeUp.wait(bounds).then(() => ended.push(name));
  return { clock, wakeUp, ended, wait };
}

it('ends all present waits, and leaves no timer', async () => {
  const { clock, wakeUp, ended, wait } = waits();
  wait('limited', { ms: 10 });
  wait('unlimited');
  wakeUp.wake();
  wait('later');
  await eventLoopTurn();
  expect(ended).toEqual(['limited', 'unlimited']);
  expect(clock.waiting).toBe(0);
});

it('ends each wait after its own time', async () => {
  const { clock, ended, wait } = waits();
  wait('short', { ms: 10 });
  wait('long', { ms: 100 });
  clock.advance(10);
  await eventLoopTurn();
  expect(ended).toEqual(['short']);
  clock.advance(90);
  await eventLoopTurn();
  expect(ended).toEqual(['short', 'long']);
});

it('ends a wait when its signal is aborted, and does not begin one with an aborted signal', async () => {
  const { clock, ended, wait } = waits();
  const caller = new AbortController();
  wait('aborted', { ms: 10, signal: caller.signal });
  caller.abort();
  wait('too late', { ms: 10, signal: caller.signal });
  wait('other');
  await eventLoopTurn();
  expect(ended).toEqual(['aborted', 'too late']);
  expect(clock.waiting).toBe(0);
});
