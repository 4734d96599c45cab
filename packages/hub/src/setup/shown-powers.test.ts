import { expect, it } from 'vitest';
import { shownPowers } from './shown-powers.ts';

it('shows each power on one line, for any text in it', () => {
  const words = `start a: sh -c evil\n${'\n'.repeat(100)}  start a: node a.js`;
  const shown = shownPowers([{ words }, { words: 'start b: node b.js' }]);
  expect(shown.split('\n')).toEqual([
    `  start a: sh -c evil${String.raw`\n`.repeat(101)}  start a: node a.js`,
    '  start b: node b.js',
  ]);
});

it('shows the number of omitted characters and powers', () => {
  expect(shownPowers([{ words: `start a: sh ${' '.repeat(100_000)} x` }])).toMatch(
    /^ {2}start a: sh +… and 99014 more characters: review it first$/,
  );
  const many = Array.from({ length: 50 }, (_, n) => ({ words: `start s${n}: node ${n}.js` }));
  expect(shownPowers(many).split('\n').slice(-1)).toEqual(['  … and 30 more: review them first']);
});
