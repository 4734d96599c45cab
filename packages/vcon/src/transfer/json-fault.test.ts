import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.ts';

const early = 'it ends too early (cut off?)';

test.each([
  ['{"a": }', 6, 'unexpected }'],
  ['{"a": 1,}', 8, 'unexpected }'],
  ['[1,]', 3, 'unexpected ]'],
  ['{a: 1}', 1, 'unexpected a'],
  ["{'a': 1}", 1, "unexpected '"],
  ['{"a" 1}', 5, 'unexpected 1'],
  ['{"a": 1 "b": 2}', 8, 'unexpected "'],
  ['{"a": [1}', 8, 'unexpected }'],
  ['{"a": NaN}', 6, 'unexpected N'],
  ['{"a": 01}', 7, 'unexpected 1'],
  ['{"a": tru}', 6, 'unexpected t'],
  ['{"a": "x\ny"}', 8, 'line break within a string, which may not be closed'],
  ['{"a": "x\ty"}', 8, 'control character within a string, which may not be closed'],
  [String.raw`{"a": "\x"}    `, 7, String.raw`an unknown \ sequence`],
  ['{"a": "x', 8, early],
  [String.raw`{"a": "\u12`, 11, early],
  ['{"a": 1', 7, early],
  ['{"a"', 4, early],
  ['', 0, early],
  ['{} {}', 3, 'more than one document: give each a line of its own in a .jsonl file'],
  ['{"a": 😀}', 6, 'unexpected 😀'],
])('%j is wrong at %i: %s', (text, at, what) => {
  expect(jsonFault(text)).toEqual({ at, what });
});

test('stops where a strict parser does: the text before can be continued to JSON, the text with that character cannot', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('}', ']', ',', ':', '"', 'x', '1', ' ', '\\', '\n'))
    .map(([json, at, sign]) => json.slice(0, at % (json.length + 1)) + sign + json.slice(at % (json.length + 1)))
    .filter((text) => !isJson(text));
  fc.assert(
    fc.property(broken, (text) => {
      const { at } = jsonFault(text);
      expect(at).toBeLessThanOrEqual(text.length);
      // Cut off there, the only fault is its end.
      if (!isJson(text.slice(0, at))) expect(jsonFault(text.slice(0, at)).what).toBe(early);
    }),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
