import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { TokenBucket } from './token-bucket.ts';

function bucket(burst = 10, perSecond = 2) {
  const clock = new FakeClock();
  return { clock, bucket: new TokenBucket(clock, { burst, perSecond }) };
}

describe('take', () => {
  it('allows a burst, then the rate', () => {
    const { clock, bucket: b } = bucket();
    expect([b.take(10), b.take(1)]).toEqual([0, 500]);
    clock.advance(500);
    expect([b.take(1), b.take(1)]).toEqual([0, 500]);
  });

  it('takes nothing while there is not enough, and never has more than its size', () => {
    const { clock, bucket: b } = bucket();
    expect(b.take(9)).toBe(0);
    expect([b.take(2), b.take(1)]).toEqual([500, 0]);
    clock.advance(60_000);
    expect([b.take(11), b.take(10)]).toEqual([500, 0]);
  });

  it('follows other limits, for the time since the last use as well', () => {
    const { clock, bucket: b } = bucket();
    b.take(10);
    clock.advance(1000);
    b.limit({ burst: 5, perSecond: 4 });
    expect([b.take(4), b.take(1)]).toEqual([0, 250]);
    b.limit({ burst: Infinity, perSecond: Infinity });
    expect(b.take(1000)).toBe(0);
  });

  it('has a size again after limits without end', () => {
    const { bucket: b } = bucket(Infinity, Infinity);
    b.take(1000);
    b.limit({ burst: 5, perSecond: 1 });
    expect([b.take(5), b.take(1)]).toEqual([0, 1000]);
  });
});

describe('spend', () => {
  it('goes into debt, and says when it is paid', () => {
    const { clock, bucket: b } = bucket();
    expect([b.spend(10), b.spend(4)]).toEqual([0, 2000]);
    clock.advance(1000);
    expect(b.spend(0)).toBe(1000);
    clock.advance(1000);
    expect(b.spend(0)).toBe(0);
  });
});
