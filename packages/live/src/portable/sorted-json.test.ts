import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortedJson } from './sorted-json.ts';

const parse = (json: string): unknown => JSON.parse(json);

describe('the sorted JSON of a value', () => {
  it('is the same for any order of fields, at every depth', () => {
    const one = parse('{"b":[{"y":1,"x":[2,1]}],"a":null,"10":1,"9":2}');
    const other = parse('{"9":2,"a":null,"10":1,"b":[{"x":[2,1],"y":1}]}');
    expect(sortedJson(one)).toBe(sortedJson(other));
  });

  it.each([
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":{"b":1}}', '{"a":{"b":"1"}}'],
    ['{"a":null}', '{}'],
    ['{"__proto__":{"a":1}}', '{}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
  ])('is not the same for %s and %s', (one, other) => {
    expect(sortedJson(parse(one))).not.toBe(sortedJson(parse(other)));
  });

  it('contains the whole value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const document = parse(JSON.stringify(fields));
        expect(JSON.parse(sortedJson(document))).toEqual(document);
      }),
      { numRuns: 50 },
    );
  });
});
