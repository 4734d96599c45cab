import { describe, expect, test } from 'vitest';
import { difference } from './difference.ts';
import { jsonDifference } from './json-difference.ts';
import { watchedContent } from './watched-content.ts';

const text = (text: string) => watchedContent({ contents: [{ uri: 'a://b', text }] });
const blob = (bytes: string) =>
  watchedContent({ contents: [{ uri: 'a://b', blob: Buffer.from(bytes).toString('base64') }] });

describe('what differs between two JSON values', () => {
  test.each([
    ['nothing', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['a member', { a: { b: 1 } }, { a: { b: 2 } }, [{ path: 'a.b', op: 'changed', before: 1, after: 2 }]],
    [
      'members that come and go',
      { 'x y': 1 },
      { z: null },
      [
        { path: '["x y"]', op: 'removed', before: 1 },
        { path: 'z', op: 'added', after: null },
      ],
    ],
    [
      'an element put in front',
      [{ id: 1 }, { id: 2 }],
      [{ id: 0 }, { id: 1 }, { id: 2 }],
      [{ path: '[0]', op: 'added', after: { id: 0 } }],
    ],
    ['an element taken away', { s: [1, 2, 3] }, { s: [1, 3] }, [{ path: 's[1]', op: 'removed', before: 2 }]],
    [
      'inside an element',
      {
        s: [
          { id: 1, on: true },
          { id: 2, on: true },
        ],
      },
      {
        s: [
          { id: 1, on: true },
          { id: 2, on: false },
        ],
      },
      [{ path: 's[1].on', op: 'changed', before: true, after: false }],
    ],
    ['the whole', [1], { a: 1 }, [{ path: '', op: 'changed', before: [1], after: { a: 1 } }]],
    [
      'names of the prototype',
      {},
      JSON.parse('{"__proto__":1,"toString":2}'),
      [
        { path: '__proto__', op: 'added', after: 1 },
        { path: 'toString', op: 'added', after: 2 },
      ],
    ],
  ])('%s', (_, before, after, changes) => {
    expect(jsonDifference(before, after)).toEqual(changes);
  });
});

describe('what differs between two looks', () => {
  test('lines of a text', () => {
    expect(difference(text('a\nb\nc\n'), text('a\nB\nc\nd\n'))).toEqual({ kind: 'text', lines: ['-b', '+B', '+d'] });
  });

  test('JSON by its paths, whether it is called that or not', () => {
    expect(difference(text('{"a":1}'), text('{"a":2}'))).toMatchObject({ kind: 'json', changes: [{ path: 'a' }] });
  });

  test('JSON too deep to walk through as text', () => {
    const deep = (value: number) => text(`${'['.repeat(5000)}${value}${']'.repeat(5000)}`);
    expect(difference(deep(1), deep(2)).kind).toBe('text');
  });

  test('bytes by size and hash', () => {
    const { before, after } = { before: blob('one'), after: blob('three') };
    expect(difference(before, after)).toMatchObject({ kind: 'bytes', before: { bytes: 3 }, after: { bytes: 5 } });
    expect(difference(before, blob('one'))).toEqual({ kind: 'none' });
  });

  test('another kind, or far too much, as a whole', () => {
    expect(difference(text('a'), blob('a'))).toEqual({ kind: 'replaced' });
    const many = (word: string) => text(Array.from({ length: 5000 }, (_, line) => `${word} ${line}`).join('\n'));
    expect(difference(many('old'), many('new'))).toEqual({ kind: 'replaced' });
  });

  test('that it came or went', () => {
    const missing = { kind: 'missing', reason: 'gone' } as const;
    expect(difference(text('a'), missing)).toEqual({ kind: 'vanished', reason: 'gone' });
    expect(difference(missing, text('a'))).toEqual({ kind: 'appeared' });
    expect(difference(missing, { kind: 'missing', reason: 'still' })).toEqual({ kind: 'none' });
  });
});
