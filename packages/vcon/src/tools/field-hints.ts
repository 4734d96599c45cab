// Descriptions of an entry's fields, for models. They are hints: an entry is accepted as it is, and deviations are
// returned as warnings. A model reads them with every tool, so they are short.
import { z } from 'zod';

export function fieldHints(schema: z.ZodObject): { properties: Record<string, unknown> } {
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, hintFor(field)]);
  return { properties: Object.fromEntries(fields) };
}

function hintFor(field: z.core.$ZodType): Record<string, unknown> {
  const { type, description, enum: values } = z.toJSONSchema(field, { unrepresentable: 'any' });
  return { ...(type && { type }), ...(description && { description }), ...(values && { enum: values }) };
}
