import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { MissedListChanges } from './missed-list-changes.ts';

const subscribed = ['a://0', 'a://1'];

function missedListChanges() {
  const clock = new FakeClock();
  const due: number[] = [];
  const of = new MissedListChanges(clock, () => void due.push(clock.now()));
  const read = (isOther: boolean, uris: readonly string[] = subscribed) => {
    of.read(isOther, uris);
    return of.take();
  };
  return { clock, due, of, read };
}

describe('resources may have been missing', () => {
  it('if the server has sent list_changed, and the list is the same', () => {
    const { of, read } = missedListChanges();
    expect(read(false)).toEqual([]);
    of.announce();
    expect(read(false)).toEqual(subscribed);
    expect(read(false)).toEqual([]);
  });

  it('if the server has sent list_changed more often than one change explains', () => {
    const { of, read } = missedListChanges();
    of.announce();
    expect(read(true)).toEqual([]);
    of.announce();
    of.announce();
    expect(read(true)).toEqual(subscribed);
  });

  it('if the server may have sent list_changed while there was no stream, whatever its list is', () => {
    const { of, read } = missedListChanges();
    of.miss();
    expect(read(true)).toEqual(subscribed);
  });

  it('at most once per interval, however often the server sends list_changed', () => {
    const { of, read, clock, due } = missedListChanges();
    for (let n = 0; n < 50; n += 1) {
      of.announce();
      expect(read(false)).toHaveLength(n === 0 ? 2 : 0);
      clock.advance(100);
    }
    clock.advance(5000);
    expect(due).toEqual([10_000]);
    expect(of.take()).toHaveLength(2);
    clock.advance(20_000);
    expect(due).toEqual([10_000]);
    of.stop();
    expect(clock.waiting).toBe(0);
  });

  it('a limited number at a time', () => {
    const { of, read, clock, due } = missedListChanges();
    const many = Array.from({ length: 250 }, (_, n) => `a://${n}`);
    of.announce();
    const taken = read(false, many);
    while (taken.length < many.length && due.length < 10) {
      clock.advance(10_000);
      taken.push(...of.take());
    }
    expect(taken).toEqual(many);
    expect(due).toEqual([10_000, 20_000]);
  });
});
