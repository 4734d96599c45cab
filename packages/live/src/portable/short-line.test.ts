import { expect, it } from 'vitest';
import { shortLine } from './short-line.ts';

it.each([
  ['a line', 'a line'],
  [' two\nlines\r\n\tand  more ', 'two lines and more'],
  ['\u001B[2Jhidden\u200B\u202Etext', '[2Jhidden text'],
  ['x'.repeat(500), `${'x'.repeat(200)}…`],
  [`${'x'.repeat(199)}😀`, `${'x'.repeat(199)}…`],
])('%j becomes one short line', (text, line) => {
  expect(shortLine(text)).toBe(line);
});
