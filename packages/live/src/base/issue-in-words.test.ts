import * as v from 'valibot';
import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { issueInWords } from './issue-in-words.ts';

interface Validator {
  readonly '~standard': { validate(value: unknown): unknown };
}

function words(schema: Validator, value: unknown): readonly string[] {
  const { issues } = Object(schema['~standard'].validate(value));
  return issues.map(issueInWords);
}

describe('what is wrong with an argument', () => {
  const either = [z.object({ a: z.string() }), z.object({ b: z.number() })] as const;

  it.each([
    ['zod', z.object({ list: z.array(z.object({ 'a b': z.string() })) })],
    ['valibot', v.object({ list: v.array(v.object({ 'a b': v.string() })) })],
    ['arktype', type({ list: type({ 'a b': 'string' }).array() })],
  ])('names a missing field in a list, whatever its key (%s)', (_library, schema) => {
    expect(words(schema, { list: [{ 'a b': 'x' }, {}] })).toEqual(['"list.1.a b" is missing']);
    expect(words(schema, {})).toEqual(['"list" is missing']);
  });

  it.each([
    ['zod', z.object({ u: z.union(either) })],
    ['valibot', v.object({ u: v.union([v.object({ a: v.string() }), v.object({ b: v.number() })]) })],
    ['arktype', type({ u: type({ a: 'string' }).or({ b: 'number' }) })],
  ])('does not call a field missing because a member of its union lacks one (%s)', (_library, schema) => {
    for (const u of [{}, { a: 5 }]) {
      const [first = '', ...others] = words(schema, { u });
      expect(others).toEqual([]);
      expect(first).toMatch(/^u[.: ]/);
      expect(first).not.toContain('is missing');
    }
  });

  it('names a field once, though ArkType names it too', () => {
    const schema = type({ list: type({ name: 'string' }).array(), 'a b': 'string', x: 'string' });
    expect(words(schema, { list: [{ name: 5 }], 'a b': 5, x: 5 })).toEqual([
      'value at ["a b"] must be a string (was a number)',
      'list[0].name must be a string (was a number)',
      'x must be a string (was a number)',
    ]);
  });
});
