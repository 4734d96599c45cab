import { describe, expect, it } from 'vitest';
import { missedBy } from './missed.ts';

const due = Date.UTC(2026, 5, 1, 9);

describe('missedBy', () => {
  it('counts an occurrence as missed only after the grace period', () => {
    expect(missedBy(due, due + 300_000, 300_000)).toBeUndefined();
  });

  it.each([
    [300_001, '5 minutes'],
    [3_600_000, '1 hour'],
    [200_000_000, '2 days'],
  ])('says how late %i ms is', (lateMs, words) => {
    expect(missedBy(due, due + lateMs, 300_000)).toEqual({
      status: 'missed',
      at: due + lateMs,
      reason: `It was due at 2026-06-01T09:00:00.000Z and found ${words} later: no scheduler was running, or it could not keep up.`,
    });
  });
});
