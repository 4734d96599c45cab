import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { UnknownNames } from './unknown-names.ts';

function names() {
  const clock = new FakeClock();
  const gaps = { count: 0 };
  return { clock, gaps, unknown: new UnknownNames(clock, () => void (gaps.count += 1)) };
}

describe('an unknown name', () => {
  it('is a gap the first time only', () => {
    const { clock, gaps, unknown } = names();
    unknown.report('note://b');
    expect(gaps.count).toBe(1);
    clock.advance(1000);
    expect(gaps.count, 'the reads that it caused may have been damaged, too').toBe(2);
    for (let count = 0; count < 100; count += 1) {
      unknown.report('note://b');
      clock.advance(60_000);
    }
    expect(gaps.count).toBe(2);
    unknown.stop();
    expect(clock.waiting).toBe(0);
  });

  it('that is new each time is a gap at most every ten minutes', () => {
    const { clock, gaps, unknown } = names();
    for (let count = 0; count < 36_000; count += 1) {
      unknown.report(`note://${count}`);
      clock.advance(1000);
    }
    expect(gaps.count).toBeLessThan(75);
    expect(gaps.count).toBeGreaterThan(55);
  });
});
