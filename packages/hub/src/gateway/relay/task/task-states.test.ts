import { getEventListeners } from 'node:events';
import { FakeClock } from '@tidings/live/testing';
import { expect, it, vi } from 'vitest';
import { TaskStates } from './task-states.ts';

const asked = { serverId: 's', tool: 'long', subject: 'ada' };
const ask = (states: TaskStates, expired = () => undefined) =>
  states.add({ ...asked, taskId: 't1' }, { patienceMs: 60_000, expired });

it('a state leads to its task once', () => {
  const states = new TaskStates(new FakeClock());
  const state = ask(states);
  expect(states.take(state, asked)).toBe('t1');
  expect(() => states.take(state, asked)).toThrow('There is no such task');
  expect(states.size).toBe(0);
});

it.each([{ subject: 'grace' }, { subject: undefined }, { serverId: 'other' }, { tool: 'other' }])(
  'a state is refused for %o',
  (other) => {
    const states = new TaskStates(new FakeClock());
    const state = ask(states);
    expect(() => states.take(state, { ...asked, ...other })).toThrow('There is no such task');
    expect(states.take(state, asked)).toBe('t1');
  },
);

it('a state of another node leads to its task', () => {
  const [here, there] = [new TaskStates(new FakeClock()), new TaskStates(new FakeClock())];
  const state = there.add({ ...asked, taskId: 'a task\nof 1' }, { patienceMs: 60_000, expired: () => undefined });
  expect(here.take(state, asked)).toBe('a task\nof 1');
});

it('states of servers are not task states', () => {
  const states = new TaskStates(new FakeClock());
  expect(states.take('of a server', asked)).toBeUndefined();
  expect(states.take(undefined, asked)).toBeUndefined();
});

it('a task whose caller does not answer is given up', () => {
  const clock = new FakeClock();
  const states = new TaskStates(clock);
  const expired = vi.fn();
  const state = ask(states, expired);
  clock.advance(60_000);
  expect(expired).toHaveBeenCalledOnce();
  expect(() => states.take(state, asked)).toThrow('There is no such task');
});

it('a task whose caller has left is given up at once', () => {
  const states = new TaskStates(new FakeClock());
  const expired = vi.fn();
  const leaving = new AbortController();
  states.add({ ...asked, taskId: 't1' }, { patienceMs: 60_000, left: leaving.signal, expired });
  leaving.abort();
  expect(expired).toHaveBeenCalledOnce();
  expect(states.size).toBe(0);
});

it('an answered question leaves no listener on the request of its caller', () => {
  const states = new TaskStates(new FakeClock());
  const { signal } = new AbortController();
  const state = states.add({ ...asked, taskId: 't1' }, { patienceMs: 60_000, left: signal, expired: () => undefined });
  states.take(state, asked);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('the number of tasks is limited, and no caller can use all of it', () => {
  const states = new TaskStates(new FakeClock());
  for (let count = 0; count < 500; count += 1) ask(states);
  expect(() => ask(states)).toThrow('You have 500 tasks that wait for your answer, which is your share of the 1000');
  const other = { ...asked, subject: 'grace' };
  const state = states.add({ ...other, taskId: 't2' }, { patienceMs: 60_000, expired: () => undefined });
  expect(states.take(state, other)).toBe('t2');
});
