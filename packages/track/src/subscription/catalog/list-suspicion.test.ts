import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { ListSuspicion } from './list-suspicion.ts';

const followed = new Set(['a://0', 'a://1']);

function suspicion() {
  const clock = new FakeClock();
  const again: number[] = [];
  return { clock, again, of: new ListSuspicion(clock, () => void again.push(clock.now())) };
}

describe('a list that is what it was', () => {
  it('is not suspicious unless the server said that it changed', () => {
    const { of } = suspicion();
    expect(of.read(false, followed)).toEqual([]);
    of.announce();
    expect(of.read(false, followed)).toEqual([...followed]);
    expect(of.read(false, followed)).toEqual([]);
  });

  it('is not suspicious where it is another after all, or long', () => {
    const { of } = suspicion();
    of.announce();
    expect(of.read(true, followed)).toEqual([]);
    of.announce();
    expect(of.read(false, new Set(Array.from({ length: 101 }, (_, n) => `a://${n}`)))).toEqual([]);
  });

  it('is suspected again after a while, however often the server says so', () => {
    const { of, clock, again } = suspicion();
    for (let n = 0; n < 50; n += 1) {
      of.announce();
      expect(of.read(false, followed)).toHaveLength(n === 0 ? 2 : 0);
      clock.advance(100);
    }
    clock.advance(5000);
    expect(again).toEqual([10_000]);
    expect(of.read(false, followed)).toHaveLength(2);
    clock.advance(20_000);
    expect(again).toEqual([10_000]);
    of.stop();
    expect(clock.waiting).toBe(0);
  });
});
