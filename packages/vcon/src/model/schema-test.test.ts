import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleNames, exampleOf } from './examples.ts';
import { schemaTest } from './schema-test.ts';
import { vconSchema } from './vcon.ts';

const isValid = (schema: z.ZodType, value: unknown) => z.safeParse(schema, value).success;

describe('a schema as a test', () => {
  it('accepts the same values of every type as zod', () => {
    const schemas = [
      z.string(),
      z.string().regex(/^a/),
      z.url({ protocol: /^https$/ }),
      z.number(),
      z.number().min(0),
      z.int().min(0),
      z.enum(['a', 'b']),
      z.null(),
      z.unknown(),
      z.array(z.int()),
      z.union([z.int(), z.array(z.string())]),
      z.string().optional(),
      z.looseObject({ a: z.string(), b: z.int().optional(), c: z.unknown() }),
      z.looseObject({ a: z.unknown() }).refine((value) => value.a !== 1),
      z.object({ a: z.string() }),
      z.strictObject({ a: z.string() }),
      z.string().default('a'),
      z.string().nullable(),
      z.record(z.string(), z.int()),
    ];
    const texts = ['', 'a', 'abc', 'https://example.com', 'http://example.com', 'https:'];
    const numbers = [Number.NaN, Infinity, -1, 0.5, 2 ** 60];
    const lists = [[], [1], ['a', 1]];
    const objects = [{}, { a: 'a' }, { a: 1 }, { a: 'a', b: -1.5 }, { a: 'a', c: 1 }, { a: 'a', c: undefined }];
    const known = fc.constantFrom<unknown>(undefined, null, ...texts, ...numbers, ...lists, ...objects);
    const tests = schemas.map((schema) => ({ schema, test: schemaTest(schema) }));
    fc.assert(
      fc.property(fc.oneof(known, fc.jsonValue({ maxDepth: 2 })), (value) => {
        for (const { schema, test } of tests) expect(test(value)).toBe(isValid(schema, value));
      }),
    );
  });

  it('accepts the same changed vCons as zod', () => {
    const test = schemaTest(vconSchema);
    const given = { uuid: '0194d8a0-0000-8000-8000-000000000000', now: new Date('2025-10-14T10:30:00Z') };
    const vcons = exampleNames.map((name) => exampleOf(name, given));
    for (const vcon of vcons) expect(test(vcon)).toBe(true);
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('2025-10-14T10:30:00', 'none', 'transfer', 0),
    );
    let refused = 0;
    fc.assert(
      fc.property(fc.constantFrom(...vcons), fc.infiniteStream(fc.nat()), values, (vcon, choices, value) => {
        const changed = changedSomewhere(vcon, choices, value);
        expect(test(changed)).toBe(isValid(vconSchema, changed));
        if (!test(changed)) refused += 1;
      }),
      { numRuns: 500 },
    );
    expect(refused).toBeGreaterThan(50);
  });
});

/** Replaces one value, on the path that the choices select. */
function changedSomewhere(value: unknown, choices: Iterator<number>, replacement: unknown): unknown {
  const [choice, isHere] = [Number(choices.next().value), Number(choices.next().value) % 4 === 0];
  if (isHere || typeof value !== 'object' || value === null) return replacement;
  const names = Object.keys(value);
  const name = names[choice % Math.max(names.length, 1)];
  if (name === undefined) return replacement;
  const inside = changedSomewhere(Reflect.get(value, name), choices, replacement);
  return Array.isArray(value) ? value.with(Number(name), inside) : { ...value, [name]: inside };
}
