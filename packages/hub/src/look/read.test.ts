import { describe, expect, test } from 'vitest';
import { screenOf } from '../terminal/screen.ts';
import { closest } from './closest.ts';
import { toStdout } from './read.ts';

const pipe = screenOf({}, {});
const terminal = screenOf({ isTTY: true, columns: 80 }, {});
const uri = 'a://b';

describe('output of contents', () => {
  test('a terminal gets indented JSON, a pipe the original', () => {
    const contents = [{ uri, mimeType: 'application/ld+json', text: '{"a":1}' }];
    expect(toStdout({ contents }, terminal)).toEqual(['{\n  "a": 1\n}\n']);
    expect(toStdout({ contents }, pipe)).toEqual(['{"a":1}']);
  });

  test('invalid JSON is printed unchanged', () => {
    const contents = [{ uri, mimeType: 'application/json', text: '{"a":' }];
    expect(toStdout({ contents }, terminal)).toEqual(['{"a":\n']);
  });

  test('several contents are printed one after the other', () => {
    const contents = [
      { uri, text: 'one' },
      { uri, text: 'two\n' },
      { uri, text: 'three' },
    ];
    expect(toStdout({ contents }, pipe).join('')).toBe('one\ntwo\nthree');
  });

  test('bytes are not printed to terminals', () => {
    const contents = [{ uri, mimeType: 'image/png', blob: Buffer.from('abc').toString('base64') }];
    expect(() => toStdout({ contents }, terminal)).toThrow(
      '3 B of image/png, which a terminal cannot show. Write it to a file: add > file',
    );
    expect(toStdout({ contents }, pipe)).toEqual([Buffer.from('abc')]);
  });
});

test.each([
  ['counter://valu', ['counter://value']],
  ['COUNTER://VALUE', ['counter://value']],
  ['notes', ['files:///notes-1.txt', 'files:///notes-2.txt']],
  ['files:///note-1.txt', ['files:///notes-1.txt', 'files:///notes-2.txt']],
  ['zebra://', []],
])('suggests for %s: %j', (typed, meant) => {
  expect(closest(typed, ['counter://value', 'files:///notes-1.txt', 'files:///notes-2.txt'])).toEqual(meant);
});
