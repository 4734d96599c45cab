import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indentedJson } from './indented-json.ts';

it('indentedJson writes the same as JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(4), (value, spaces) => {
      expect(indentedJson(value, spaces + 1)).toBe(JSON.stringify(value, null, spaces + 1));
    }),
  );
  expect(indentedJson({ a: undefined, b: [undefined] }, 1)).toBe('{\n "b": [\n  null\n ]\n}');
});

it('indentedJson has a length in proportion to its value, however deep that is', () => {
  const text = `${'['.repeat(900)}${Array.from({ length: 10_000 }, () => 1).join(',')}${']'.repeat(900)}`;
  const indented = indentedJson(JSON.parse(text), 2);
  expect(indented.length).toBeLessThan(2 * text.length);
  expect(JSON.stringify(JSON.parse(indented))).toBe(text);
});
