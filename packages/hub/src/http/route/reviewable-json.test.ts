import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reviewableJson } from './reviewable-json.ts';

it('reviewable JSON shows hidden characters, and is the same document', () => {
  const value = { d: 'a\u001b[2J\u009b\u202eb\u200bc\u00a0d\u{e0041}e\ud800', ü: 'grün 😀 漢字' };
  const text = reviewableJson(JSON.stringify(value));
  expect(text).toContain('"a\\u001b[2J\\u009b\\u202eb\\u200bc\\u00a0d\\udb40\\udc41e\\ud800"');
  expect(text).toContain('"ü": "grün 😀 漢字"');
  expect(JSON.parse(text)).toEqual(value);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (any) => {
      const shown = reviewableJson(JSON.stringify(any));
      expect(JSON.parse(shown)).toBe(any);
      expect(shown).toMatch(/^\P{C}*$/u);
    }),
  );
});
