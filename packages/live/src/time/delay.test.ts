import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { delay } from './delay.ts';

describe('delay', () => {
  it('resolves after the time', async () => {
    const clock = new FakeClock();
    let isOver = false;
    const waiting = delay(clock, 10).then(() => (isOver = true));
    clock.advance(9);
    await Promise.resolve();
    expect(isOver).toBe(false);
    clock.advance(1);
    await waiting;
  });

  it('resolves early when the signal is aborted, and leaves no timer', async () => {
    const clock = new FakeClock();
    const ending = new AbortController();
    const waiting = delay(clock, 10, ending.signal);
    ending.abort();
    await waiting;
    expect(clock.waiting).toBe(0);
  });

  it('does not wait at all for a signal that was aborted before', async () => {
    const clock = new FakeClock();
    await delay(clock, 10, AbortSignal.abort());
    expect(clock.waiting).toBe(0);
  });
});
