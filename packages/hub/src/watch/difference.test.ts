import { describe, expect, test } from 'vitest';
import { difference } from './difference.ts';
import { watchedContent } from './watched-content.ts';

const text = (text: string) => watchedContent({ contents: [{ uri: 'a://b', text }] });
const blob = (bytes: string) =>
  watchedContent({ contents: [{ uri: 'a://b', blob: Buffer.from(bytes).toString('base64') }] });

describe('the difference between two contents', () => {
  test('is in lines for a text', () => {
    expect(difference(text('a\nb\nc\n'), text('a\nB\nc\nd\n'))).toEqual({ kind: 'text', lines: ['-b', '+B', '+d'] });
  });

  test('is in paths for JSON of any media type', () => {
    expect(difference(text('{"a":1}'), text('{"a":2}'))).toMatchObject({ kind: 'json', changes: [{ path: 'a' }] });
  });

  test('is in lines for JSON that is nested too deeply', () => {
    const deep = (value: number) => text(`${'['.repeat(5000)}${value}${']'.repeat(5000)}`);
    expect(difference(deep(1), deep(2)).kind).toBe('text');
  });

  test('is size and hash for bytes', () => {
    const { before, after } = { before: blob('one'), after: blob('three') };
    expect(difference(before, after)).toMatchObject({ kind: 'bytes', before: { bytes: 3 }, after: { bytes: 5 } });
    expect(difference(before, blob('one'))).toEqual({ kind: 'none' });
  });

  test('is the whole content for another kind or too many differences', () => {
    expect(difference(text('a'), blob('a'))).toEqual({ kind: 'replaced' });
    const many = (word: string) => text(Array.from({ length: 5000 }, (_, line) => `${word} ${line}`).join('\n'));
    expect(difference(many('old'), many('new'))).toEqual({ kind: 'replaced' });
  });

  test('tells additions and removals', () => {
    const missing = { kind: 'missing', reason: 'gone' } as const;
    expect(difference(text('a'), missing)).toEqual({ kind: 'vanished', reason: 'gone' });
    expect(difference(missing, text('a'))).toEqual({ kind: 'appeared' });
    expect(difference(missing, { kind: 'missing', reason: 'still' })).toEqual({ kind: 'none' });
  });
});
