import { describe, expect, it } from 'vitest';
import { BoundedMap, BoundedSet } from './bounded-map.ts';

describe('BoundedMap', () => {
  it('drops the oldest entry', () => {
    const dropped: number[] = [];
    const map = new BoundedMap<string, number>(2, (value) => dropped.push(value));
    map.set('a', 1).set('b', 2).set('c', 3);
    expect([[...map], dropped]).toEqual([
      [
        ['b', 2],
        ['c', 3],
      ],
      [1],
    ]);
  });

  it('takes a key that is set again for the newest, and drops nothing for it', () => {
    const dropped: number[] = [];
    const map = new BoundedMap<string, number>(2, (value) => dropped.push(value));
    map.set('a', 1).set('b', 2).set('a', 3);
    expect([...map.keys()]).toEqual(['b', 'a']);
    map.set('c', 4);
    expect([[...map.values()], dropped]).toEqual([[3, 4], [2]]);
  });

  it('does not report entries that were deleted', () => {
    const dropped: number[] = [];
    const map = new BoundedMap<string, number>(1, (value) => dropped.push(value));
    map.set('a', 1);
    map.delete('a');
    map.set('b', 2);
    map.clear();
    expect(dropped).toEqual([]);
  });
});

describe('BoundedSet', () => {
  it('drops the oldest value; one that is added again is the newest', () => {
    const set = new BoundedSet<string>(2);
    set.add('a').add('b').add('a').add('c');
    expect([...set]).toEqual(['a', 'c']);
  });
});
