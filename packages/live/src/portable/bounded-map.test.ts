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

  it('drops the oldest entry also after deletions, and after it was emptied, within one task', () => {
    const map = new BoundedMap<number, number>(3);
    const put = (...keys: number[]) => {
      for (const key of keys) map.set(key, key);
      return [...map.keys()];
    };
    expect(put(1, 2, 3, 4, 5)).toEqual([3, 4, 5]);
    map.delete(3);
    expect(put(4, 6, 7)).toEqual([4, 6, 7]);
    map.clear();
    expect(put(8, 9, 10, 11)).toEqual([9, 10, 11]);
    const many = Array.from({ length: 100 }, (_, n) => n);
    expect(put(...many)).toEqual([97, 98, 99]);
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
