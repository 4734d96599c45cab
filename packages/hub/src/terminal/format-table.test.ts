import { describe, expect, test } from 'vitest';
import { cut, printable, widthOf } from './fit.ts';
import { screenOf } from './screen.ts';
import { formatTable } from './format-table.ts';

const pipe = screenOf({}, {});
const terminal = (columns: number) => screenOf({ isTTY: true, columns }, { NO_COLOR: '1' });

describe('a table', () => {
  test('leaves out empty columns, and aligns the others', () => {
    expect(
      formatTable(
        ['A', 'B', 'C'],
        [
          ['1', '', 'x'],
          ['日本', '', 'y'],
        ],
        pipe,
      ),
    ).toBe('A     C\n1     x\n日本  y');
  });

  test.each([20, 40, 60, 80])('fits into %i columns', (columns) => {
    const rows = [
      ['a://' + 'x'.repeat(100), '名'.repeat(30), 'text/plain'],
      ['b', 'c', 'd'],
    ];
    const lines = formatTable(['URI', 'NAME', 'TYPE'], rows, terminal(columns)).split('\n');
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(Math.max(columns, 28));
    expect(lines[1]).toContain('…');
  });

  test('prints no terminal control characters', () => {
    expect(formatTable(['A'], [['x\u001B[2Jy\nz\u202E']], pipe)).toBe('A\nx\u241B[2Jy z<U+202E>');
  });
});

test.each([
  ['short', 10, 'short'],
  ['exactly', 7, 'exactly'],
  ['too long', 7, 'too lo…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['👩‍👩‍👧 family', 4, '👩‍👩‍👧 …'],
])('%j in %i columns is %j', (text, columns, expected) => {
  expect(cut(text, columns)).toBe(expected);
});

test('printable text has one line', () => {
  expect(printable('a\r\n\tb\u2028c')).toBe('a b c');
});

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
  [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
  [{}, {}, false],
  [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('%o with %o has colour: %s', (output, env, isColoured) => {
  expect(screenOf(output, env).style('red', 'x') !== 'x').toBe(isColoured);
});
