import { expect, test } from 'vitest';
import { parsedJson } from './parsed-json.ts';

test('a text that may not be JSON', () => {
  expect(parsedJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(parsedJson('null')).toBeNull();
  for (const other of ['', '{"a":', 'text']) expect(parsedJson(other)).toBeUndefined();
});
