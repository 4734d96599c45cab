import { describe, expect, it } from 'vitest';
import { Patterns } from './pattern.ts';

const listed = ['a://1', 'a://2', 'a://2/part', 'b://1'];

describe('patterns', () => {
  it.each([
    [[], listed],
    [['**'], listed],
    [['a://*'], ['a://1', 'a://2']],
    [['a://**'], ['a://1', 'a://2', 'a://2/part']],
    [
      ['b://1', 'a://2'],
      ['b://1', 'a://2'],
    ],
    [
      ['c://unlisted', 'b://*'],
      ['c://unlisted', 'b://1'],
    ],
    [
      ['a://1', 'a://*'],
      ['a://1', 'a://2'],
    ],
  ])('%j want %j', (words, wanted) => {
    expect(new Patterns(words).wanted(listed)).toEqual(wanted);
  });

  it('match a prefix, not the text between', () => {
    const patterns = new Patterns(['a://x*']);
    expect(patterns.matches('a://xyz')).toBe(true);
    expect(patterns.matches('b://a://xyz')).toBe(false);
  });
});
