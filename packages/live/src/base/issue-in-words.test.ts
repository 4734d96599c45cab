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

  it.each([
    [{ n: 0 }, 'n: must be at least 1'],
    [{ n: 101 }, 'n: must be at most 100'],
    [{ n: 1.5 }, 'n: must be a whole number'],
    [{ n: '1' }, 'n: must be a number'],
    [{ over: 0 }, 'over: must be more than 0'],
    [{ under: 1 }, 'under: must be less than 1'],
    [{ text: '' }, 'text: must have at least 1 character'],
    [{ text: 'abcd' }, 'text: must have at most 3 characters'],
    [{ list: [] }, 'list: must have at least 1 item'],
    [{ list: null }, 'list: must be an array'],
    [{ kind: 'c' }, 'kind: must be one of "a", "b"'],
    [{ none: 1 }, 'none: must be null'],
    [{ never: 1 }, 'never: must be absent'],
    [{ gone: 1 }, 'gone: must be absent'],
    [{ date: new Date(0) }, 'date: Too small: expected date to be >=5'],
    [{ must: 1 }, 'must: must be a string'],
    [undefined, 'must be an object'],
  ])('says plainly what Zod says in symbols: %j', (value, expected) => {
    const schema = z
      .object({
        n: z.number().int().min(1).max(100),
        over: z.number().gt(0),
        under: z.number().lt(1),
        text: z.string().min(1).max(3),
        list: z.array(z.string()).min(1),
        kind: z.enum(['a', 'b']),
        none: z.null(),
        never: z.never(),
        gone: z.undefined(),
        date: z.date().min(new Date(5)),
        must: z.string(),
      })
      .partial();
    expect(words(schema, value)).toEqual([expected]);
  });

  it('keeps messages of a schema', () => {
    const schema = z.object({ a: z.string('Too small: ask for more'), b: z.string('Invalid input: no') });
    expect(words(schema, { a: 1, b: 1 })).toEqual(['a: Too small: ask for more', 'b: Invalid input: no']);
    const inList = z.object({ list: z.array(z.string('list names, not numbers')) });
    expect(words(inList, { list: [1] })).toEqual(['list.0: list names, not numbers']);
  });
});
