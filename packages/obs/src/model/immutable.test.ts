import { describe, expect, it } from 'vitest';
import { withChanged, withEntry, withFields, withRenamedEntry, withoutEntry } from './immutable.ts';

describe('a copy with one difference', () => {
  it('of fields is the same object if nothing differs', () => {
    const value = { name: 'a', place: { x: 1 } };
    expect(withFields(value, { place: { x: 1 } })).toBe(value);
    expect(withFields(value, { name: 'b' })).toEqual({ name: 'b', place: { x: 1 } });
    expect(value.name).toBe('a');
  });

  it('returns the same map if nothing differs', () => {
    const map = new Map([['a', { x: 1 }]]);
    expect(withEntry(map, 'a', { x: 1 })).toBe(map);
    expect([...withEntry(map, 'b', { x: 2 })]).toEqual([
      ['a', { x: 1 }],
      ['b', { x: 2 }],
    ]);
    expect(withoutEntry(map, 'b')).toBe(map);
    expect([...withoutEntry(map, 'a')]).toEqual([]);
    expect(map.size).toBe(1);
  });

  it('keeps a renamed entry in its place, and replaces one that has the new name', () => {
    const map = new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    expect([...withRenamedEntry(map, 'a', 'd')].map(([key]) => key)).toEqual(['d', 'b', 'c']);
    expect([...withRenamedEntry(map, 'a', 'c')]).toEqual([
      ['c', 1],
      ['b', 2],
    ]);
    expect(withRenamedEntry(map, 'unknown', 'd')).toBe(map);
    expect(withRenamedEntry(map, 'a', 'a')).toBe(map);
  });

  it('of an array is the same array where no item changed', () => {
    const items = [1, 2, 3];
    expect(
      withChanged(
        items,
        (item) => item > 5,
        (item) => item + 1,
      ),
    ).toBe(items);
    expect(
      withChanged(
        items,
        (item) => item === 2,
        (item) => item,
      ),
    ).toBe(items);
    expect(
      withChanged(
        items,
        (item) => item === 2,
        (item) => item * 10,
      ),
    ).toEqual([1, 20, 3]);
  });
});
