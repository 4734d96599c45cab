// A zod schema as a test that only says yes or no. Most documents have nothing to report, and for those the copy and
// the list of issues that zod makes of every value are most of the work. The schema stays the only description: the
// test is made from it, with its own checks, and zod itself answers for every kind of schema that has no case here.
import { z } from 'zod';
import { isList, isObject } from './json.ts';

type SchemaTest = (this: void, value: unknown) => boolean;

/** The same as `z.safeParse(schema, value).success`. */
export function schemaTest(schema: z.core.$ZodType): SchemaTest {
  const ofType = typeTest(schema);
  if (ofType === undefined) return (value) => z.safeParse(schema, value).success;
  const checks = checksOf(schema);
  if (checks.length === 0) return ofType;
  const checked = new z.core.$ZodUnknown({ type: 'unknown', checks });
  return (value) => ofType(value) && passes(checked, value);
}

/** A format, such as that of a URL, is a schema and its own check. */
function checksOf(schema: z.core.$ZodType): z.core.$ZodCheck[] {
  const { checks = [] } = schema._zod.def;
  return schema instanceof z.core.$ZodCheck ? [schema, ...checks] : [...checks];
}

function passes({ _zod }: z.core.$ZodType, value: unknown): boolean {
  const result = _zod.run({ value, issues: [] }, { async: false });
  return 'issues' in result && result.issues.length === 0;
}

/** The test of the type without the checks of the schema; undefined for a kind of schema that has no case here. */
function typeTest(schema: z.core.$ZodType): SchemaTest | undefined {
  if (schema instanceof z.core.$ZodObject) return objectTest(schema);
  if (schema instanceof z.core.$ZodOptional) {
    const inner = schemaTest(schema._zod.def.innerType);
    return (value) => value === undefined || inner(value);
  }
  if (schema instanceof z.core.$ZodArray) {
    const element = schemaTest(schema._zod.def.element);
    return (value) => isList(value) && value.every((item) => element(item));
  }
  if (schema instanceof z.core.$ZodUnion) {
    const options = schema._zod.def.options.map(schemaTest);
    return (value) => options.some((option) => option(value));
  }
  if (schema instanceof z.core.$ZodEnum) {
    const values = new Set<unknown>(schema._zod.values);
    return (value) => values.has(value);
  }
  if (schema instanceof z.core.$ZodUnknown) return () => true;
  if (schema instanceof z.core.$ZodString) return (value) => typeof value === 'string';
  if (schema instanceof z.core.$ZodNumber) return (value) => Number.isFinite(value);
  return undefined;
}

/** For an object schema that allows unknown fields. */
function objectTest(schema: z.core.$ZodObject): SchemaTest | undefined {
  const { shape, catchall } = schema._zod.def;
  if (!(catchall instanceof z.core.$ZodUnknown)) return undefined;
  const fields = new Map(Object.entries(shape).map(([name, field]) => [name, schemaTest(field)]));
  const required = Object.keys(shape).filter((name) => shape[name]?._zod.optin === undefined);
  return (value) => {
    if (!isObject(value)) return false;
    for (const name of required) if (!(name in value)) return false;
    // Iterates over the fields of the value, which are usually fewer than those of the schema.
    for (const name of Object.keys(value)) if (fields.get(name)?.(value[name]) === false) return false;
    return true;
  };
}
