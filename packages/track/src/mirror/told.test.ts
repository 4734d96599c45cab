import { describe, expect, it } from 'vitest';
import { Told } from './told.ts';

describe('what listeners hold', () => {
  it('is what a read found just before they were told, or not known', () => {
    const told = new Told(undefined);
    told.tell('a');
    expect([told.known, told.mayHold('a'), told.mayHold('b')]).toEqual(['a', true, false]);
    told.tell();
    expect([told.known, told.mayHold('a')]).toEqual([null, false]);
  });

  it('may be anything before they were told', () => {
    const told = new Told(undefined);
    expect(told.mayHold('a')).toBe(true);
    told.served('a');
    expect([told.mayHold('a'), told.mayHold('b')]).toEqual([true, false]);
  });

  it('is confirmed by a read that finds what clients were given', () => {
    const told = new Told(null);
    told.served('a');
    expect(told.confirm('a')).toBe(true);
    expect(told.known).toBe('a');
    expect(told.confirm('a')).toBe(false);
  });

  it.each([
    ['two clients were given different contents', ['a', 'b']],
    ['a client was given something else', ['b']],
    ['a read of a client failed', ['a', undefined]],
  ])('is not confirmed if %s', (_, served) => {
    const told = new Told(null);
    for (const hash of served) told.served(hash);
    expect(told.confirm('a')).toBe(false);
    expect([told.known, told.mayHold('a')]).toEqual([null, false]);
  });

  it('is unknown after a client got another content, or a read found one', () => {
    const [served, found] = [new Told('a'), new Told('a')];
    served.served('b');
    expect(served.known).toBeNull();
    expect(found.confirm('b')).toBe(false);
    expect(found.known).toBeNull();
    // Only another telling makes it known.
    expect(found.confirm('b')).toBe(false);
    found.tell('b');
    expect(found.known).toBe('b');
  });

  it('is as at the beginning after a reset', () => {
    const told = new Told('a');
    told.lose();
    told.reset();
    expect([told.known, told.mayHold('b'), told.confirm('b')]).toEqual([undefined, true, true]);
  });
});
