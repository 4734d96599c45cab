import { describe, expect, it } from 'vitest';
import { Patterns } from './pattern.ts';

const listed = ['a://1', 'a://1/2', 'b://1'];

describe('what is watched', () => {
  it.each([
    [[], ['a://1', 'a://1/2', 'b://1']],
    [['b://1'], ['b://1']],
    [['a://*'], ['a://1']],
    [['a://**'], ['a://1', 'a://1/2']],
    [
      ['c://template/1', 'a://*'],
      ['c://template/1', 'a://1'],
    ],
  ])('for %j it is %j', (words, wanted) => {
    expect(new Patterns(words).wanted(listed)).toEqual(wanted);
  });
});
