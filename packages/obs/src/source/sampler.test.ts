import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { Sampler } from './sampler.ts';

/** A resource that samples a number once a second. */
function setup() {
  const clock = new FakeClock();
  const state = { value: 1, taken: 0, isAway: false, changes: 0 };
  const sampler = new Sampler<string, number>({
    clock,
    everyMs: () => 1000,
    take: () => {
      state.taken += 1;
      return state.isAway ? Promise.reject(new Error('away')) : Promise.resolve(state.value);
    },
    isSame: (before, after) => before === after,
    changed: () => (state.changes += 1),
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, state, sampler, pass };
}

describe('a sampled resource', () => {
  it('is sampled at each read while it has no watchers', async () => {
    const { clock, state, sampler } = setup();
    expect([await sampler.read('a', 'a'), await sampler.read('a', 'a')]).toEqual([1, 1]);
    expect([state.taken, clock.waiting]).toEqual([2, 0]);
  });

  it('is sampled once per interval for all readers and watchers', async () => {
    const { state, sampler, pass } = setup();
    sampler.watch('a', 'a');
    sampler.watch('a', 'a');
    await Promise.all([sampler.read('a', 'a'), sampler.read('a', 'a')]);
    await sampler.read('a', 'a');
    expect(state.taken).toBe(1);
    await pass(1000);
    expect(state.taken).toBe(2);
  });

  it('is announced only when a sample differs', async () => {
    const { state, sampler, pass } = setup();
    sampler.watch('a', 'a');
    await sampler.read('a', 'a');
    await pass(1000);
    expect(state.changes).toBe(0);
    state.value = 2;
    await pass(1000);
    expect(state.changes).toBe(1);
  });

  it('is announced with the first sample after a failed one', async () => {
    const { state, sampler, pass } = setup();
    sampler.watch('a', 'a');
    await pass(1000);
    expect(state.changes).toBe(1);
    state.isAway = true;
    await pass(1000);
    state.isAway = false;
    await pass(1000);
    expect(state.changes).toBe(2);
  });

  it('is not sampled once its last watcher has left', async () => {
    const { clock, state, sampler, pass } = setup();
    const ends = [sampler.watch('a', 'a'), sampler.watch('a', 'a')];
    ends[0]?.();
    await pass(1000);
    expect(state.taken).toBe(1);
    ends[1]?.();
    expect(clock.waiting).toBe(0);
  });
});
