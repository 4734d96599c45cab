import { describe, expect, it } from 'vitest';
import { jsonChanges } from './json-changes.ts';

/** A time limit for a busy machine. */
const patienceMs = 60_000;
const paths = (before: unknown, after: unknown) =>
  jsonChanges(before, after, 100, patienceMs).changes.map(({ op, path }) => `${op} ${path}`);

describe('jsonChanges', () => {
  it('reports each change with its path', () => {
    expect(
      paths({ a: 1, b: { c: [1, 2, { d: 'x' }] }, gone: true }, { a: 1, b: { c: [1, 2, { d: 'y' }] }, 'a new one': 0 }),
    ).toEqual(['changed b.c[2].d', 'removed gone', 'added ["a new one"]']);
  });

  it('reports nothing for equal values, and one change for values of different types', () => {
    expect(paths({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
    expect(paths([1], { 0: 1 })).toEqual(['changed ']);
    expect(paths({ a: null }, { a: {} })).toEqual(['changed a']);
  });

  it('does not report the items after an inserted or removed one', () => {
    expect(paths([{ id: 1 }, { id: 2 }], [{ id: 0 }, { id: 1 }, { id: 2 }])).toEqual(['added [0]']);
    expect(paths([1, 2, 3, 4], [1, 4])).toEqual(['removed [1]', 'removed [2]']);
    expect(paths([{ id: 1 }, 2, 3, { id: 4, n: 1 }], [2, 3, { id: 4, n: 2 }, 5])).toEqual([
      'removed [0]',
      'changed [2].n',
      'added [3]',
    ]);
  });

  it('stops at the limit, and reports that there are more', () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => index);
    const { changes, hasMore } = jsonChanges(
      numbers,
      numbers.map((number) => number + 0.5),
      10,
    );
    expect([changes.length, hasMore]).toEqual([10, true]);
  });

  it('finds one change among five megabytes', () => {
    const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'], sum: id * 2 }));
    const after = rows.map((row) => (row.id === 31_000 ? { ...row, name: 'another' } : { ...row }));
    expect(JSON.stringify(rows).length).toBeGreaterThan(2_000_000);
    expect(paths({ rows }, { rows: after })).toEqual(['changed rows[31000].name']);
    expect(paths({ rows }, { rows: after.toSpliced(100, 1) })).toEqual([
      'removed rows[100]',
      'changed rows[30999].name',
    ]);
  });

  it('compares deeply nested lists up to its limit', () => {
    const nested = (value: number, levels: number) => JSON.parse(`${'['.repeat(levels)}${value}${']'.repeat(levels)}`);
    expect(paths(nested(1, 60), nested(2, 60))).toEqual([`changed ${'[0]'.repeat(60)}`]);
    const [before, after] = [nested(1, 10_000), nested(2, 10_000)];
    expect(paths(before, after)).toEqual([`changed ${'[0]'.repeat(100)}`]);
    const growing = (value: number, length: number) =>
      Array.from({ length: 90 }).reduce<unknown>((inner) => [...Array.from({ length }, () => 0), inner], value);
    expect(paths(growing(1, 1), growing(2, 2))).not.toEqual([]);
  });

  it('ignores the order of members, and accepts names of Object.prototype as members', () => {
    expect(paths({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
    expect(paths({}, JSON.parse('{"__proto__":1,"toString":2}'))).toEqual(['added __proto__', 'added toString']);
  });

  it('reports the old value of a removal and the new value of an addition', () => {
    expect(jsonChanges({ 'x y': 1 }, { z: null }, 100).changes).toEqual([
      { path: '["x y"]', op: 'removed', before: 1 },
      { path: 'z', op: 'added', after: null },
    ]);
  });
});
