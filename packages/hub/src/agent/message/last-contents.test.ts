import { describe, expect, it } from 'vitest';
import { LastContents } from './last-contents.ts';

describe('the last contents', () => {
  it('returns the previous content', () => {
    const contents = new LastContents();
    expect(contents.replace('a', 'one')).toBeUndefined();
    expect(contents.replace('a', 'two')).toBe('one');
    contents.forget('a');
    expect(contents.replace('a', 'three')).toBeUndefined();
  });

  it('stores neither a very long text nor the text before it', () => {
    const contents = new LastContents();
    contents.replace('a', 'short');
    expect(contents.replace('a', 'x'.repeat(1_000_001))).toBe('short');
    expect(contents.replace('a', 'short again')).toBeUndefined();
  });

  it('discards the least recently used first', () => {
    const contents = new LastContents();
    const text = 'x'.repeat(1_000_000);
    for (const key of ['a', 'b', 'c', 'd']) contents.replace(key, text);
    contents.replace('a', text);
    contents.replace('e', text);
    expect(contents.replace('b', '')).toBeUndefined();
    expect(contents.replace('a', '')).toBe(text);
  });
});
