// Schemas of tools and prompts, from any library that implements Standard Schema and can describe itself as JSON
// Schema.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { issueInWords } from '../../base/issue-in-words.ts';
import { messageOf } from '../../portable/error-text.ts';

/** The dialect that the SDK requests. */
const target = 'draft-2020-12';

const suggestion = 'Use z.object({ … }), another library with Standard Schema, or fromJsonSchema().';

const text = z.string().optional().catch(undefined);
const described = z.object({
  properties: z.record(z.string(), z.object({ title: text, description: text }).catch({})).optional(),
  required: z.array(z.string()).optional(),
});

/** The described members of an object schema. */
export function describedIn(schema: StandardSchemaWithJSON): z.infer<typeof described> {
  return described.parse(schema['~standard'].jsonSchema.input({ target }));
}

/**
 * Throws when a schema cannot be described to clients: at its definition, not when the first client lists it. `what`
 * begins the message, as in `The input of tool "x"`.
 */
export function assertSchema(what: string, schema: unknown, side: 'input' | 'output'): void {
  const standard = standardOf(schema);
  if (typeof standard?.validate !== 'function') throw new TypeError(`${what} is not a schema. ${suggestion}`);
  if (standard.jsonSchema === undefined) throw new TypeError(`${what} ${missingJsonSchema(standard.vendor)}`);
  const type = typeIn(what, standard.jsonSchema, side);
  // The SDK assumes an object where a schema has no type, as unions do not.
  if (side === 'input' && type !== undefined && type !== 'object') {
    throw new TypeError(`${what} must be an object. ${suggestion}`);
  }
}

/** The same schema for the SDK, which joins the path and the message of each issue. */
export function explained(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  const standard = schema['~standard'];
  const validate: typeof standard.validate = async (value, options) => {
    const result = await standard.validate(value, options);
    return result.issues ? { issues: result.issues.map((issue) => ({ message: issueInWords(issue) })) } : result;
  };
  return { '~standard': { ...standard, validate } };
}

function typeIn(what: string, converter: StandardSchemaWithJSON['~standard']['jsonSchema'], side: 'input' | 'output') {
  try {
    return converter[side]({ target })['type'];
  } catch (error) {
    const reason = messageOf(error);
    throw new TypeError(`${what} cannot be described to clients as JSON Schema: ${reason}`, { cause: error });
  }
}

function standardOf(schema: unknown): Partial<StandardSchemaWithJSON['~standard']> | undefined {
  // ArkType's schemas are functions.
  const isObject = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  return isObject ? Reflect.get(schema, '~standard') : undefined;
}

function missingJsonSchema(vendor: string | undefined): string {
  if (vendor === 'valibot') {
    return 'is a plain Valibot schema: wrap it in toStandardJsonSchema() of "@valibot/to-json-schema".';
  }
  if (vendor === 'zod') return 'has no JSON Schema: use zod 4.2 or later, and "zod" rather than "zod/mini".';
  return `has no JSON Schema: use a version of "${vendor}" that implements Standard JSON Schema, or fromJsonSchema().`;
}
