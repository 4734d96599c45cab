import { describe, expect, test } from 'vitest';
import { difference } from './difference.ts';
import { watchedContent } from './watched-content.ts';

const text = (text: string) => watchedContent({ contents: [{ uri: 'a://b', text }] });
const blob = (bytes: string) =>
  watchedContent({ contents: [{ uri: 'a://b', blob: Buffer.from(bytes).toString('base64') }] });

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
