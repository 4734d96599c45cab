import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { Retries } from './retries.ts';

function waits(isTransient: boolean, rounds: number): number[] {
  const clock = new FakeClock();
  const retries = new Retries(clock, () => 1);
  return Array.from({ length: rounds }, () => {
    for (const uri of ['a://1', 'a://2']) retries.add({ uri, reason: 'no', isTransient });
    retries.schedule();
    const wait = retries.dueMs ?? 0;
    expect(retries.takeDue()).toEqual([]);
    clock.advance(wait);
    expect(retries.takeDue()).toEqual(['a://1', 'a://2']);
    return wait;
  });
}

describe('a refused subscription', () => {
  it.each([
    ['the server said no', false],
    ['nothing was answered', true],
  ])('is requested again together with others, with pauses up to half a minute if %s', (_, isTransient) => {
    expect(waits(isTransient, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it('waits for the scheduled round, even if other URIs join it', () => {
    const clock = new FakeClock();
    const retries = new Retries(clock, () => 1);
    retries.add({ uri: 'a://1', reason: 'no', isTransient: true });
    retries.schedule();
    clock.advance(400);
    retries.add({ uri: 'a://2', reason: 'no', isTransient: false });
    retries.schedule();
    expect(retries.dueMs).toBe(100);
    expect(retries.counts).toEqual({ refused: 1, unanswered: 1 });
  });

  it('is requested again soon after everything was acknowledged', () => {
    const clock = new FakeClock();
    const retries = new Retries(clock, () => 1);
    for (let n = 0; n < 5; n += 1) {
      retries.add({ uri: 'a://1', reason: 'no', isTransient: true });
      retries.schedule();
      clock.advance(60_000);
      retries.takeDue();
    }
    retries.schedule();
    expect(retries.dueMs).toBeUndefined();
    retries.add({ uri: 'a://1', reason: 'no', isTransient: true });
    retries.schedule();
    expect(retries.dueMs).toBe(500);
  });
});
