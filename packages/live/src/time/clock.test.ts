import { describe, expect, it } from 'vitest';
import { eventLoopTurn, foregroundClock, longestDelayMs, systemClock } from './clock.ts';

describe.each([
  ['systemClock', systemClock],
  ['foregroundClock', foregroundClock],
])('%s', (_name, clock) => {
  it('runs a task after a time, unless it was cancelled', async () => {
    const ran: string[] = [];
    const cancelled = clock.after(0, () => ran.push('cancelled'));
    cancelled.cancel();
    await new Promise<void>((resolve) => void clock.after(1, resolve));
    expect(ran).toEqual([]);
  });

  it('waits for a delay that is longer than a timer can hold', async () => {
    let isOver = false;
    const timer = clock.after(longestDelayMs + 1000, () => (isOver = true));
    await new Promise<void>((resolve) => void clock.after(5, resolve));
    timer.cancel();
    expect(isOver).toBe(false);
  });
});

describe('eventLoopTurn', () => {
  it('lets other events be handled', async () => {
    let isHandled = false;
    setImmediate(() => (isHandled = true));
    await eventLoopTurn();
    expect(isHandled).toBe(true);
  });
});
