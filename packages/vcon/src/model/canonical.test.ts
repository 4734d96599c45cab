import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from './canonical.ts';
import type { JsonObject } from './json.ts';

const parse = (json: string): JsonObject => JSON.parse(json);

describe('the canonical text of a document', () => {
  it('is the same for any order of fields, at every depth', () => {
    const one = parse('{"b":[{"y":1,"x":[2,1]}],"a":null,"10":1,"9":2}');
    const other = parse('{"9":2,"a":null,"10":1,"b":[{"x":[2,1],"y":1}]}');
    expect(canonical(one)).toBe(canonical(other));
  });

  it.each([
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":{"b":1}}', '{"a":{"b":"1"}}'],
    ['{"a":null}', '{}'],
    ['{"__proto__":{"a":1}}', '{}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
  ])('is not the same for %s and %s', (one, other) => {
    expect(canonical(parse(one))).not.toBe(canonical(parse(other)));
  });

  it('contains the whole document', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const document = parse(JSON.stringify(fields));
        expect(JSON.parse(canonical(document))).toEqual(document);
      }),
      { numRuns: 50 },
    );
  });
});
