// The fields of a form, from the JSON Schema of a tool or the arguments of a prompt, and the arguments that it gives.
import { catch as otherwise } from 'zod/mini';
import * as z from 'zod/mini';

export interface Field {
  name: string;
  title: string;
  description: string;
  isRequired: boolean;
  /** `json`: anything that is written as JSON. */
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'json';
  choices: readonly string[];
  /** What the server takes where nothing is given; empty where it does not say. */
  byDefault: string;
}

const text = otherwise(z.optional(z.string()), undefined);
const property = z.looseObject({
  type: otherwise(z.optional(z.union([z.string(), z.array(z.string())])), undefined),
  title: text,
  description: text,
  default: z.optional(z.unknown()),
  enum: otherwise(z.optional(z.array(z.unknown())), undefined),
});
const objectSchema = z.looseObject({
  properties: otherwise(z.optional(z.record(z.string(), otherwise(property, {}))), undefined),
  required: otherwise(z.optional(z.array(z.string())), undefined),
});

export function fieldsOf(schema: unknown): Field[] {
  const { data } = objectSchema.safeParse(schema);
  return Object.entries(data?.properties ?? {}).map(
    ([name, { type, title, description, enum: all, default: byDefault }]) => {
      const choices = (all ?? []).filter((each) => typeof each === 'string');
      const isChoice = choices.length > 0 && choices.length === all?.length;
      return {
        name,
        title: title ?? name,
        description: description ?? '',
        isRequired: data?.required?.includes(name) ?? false,
        kind: isChoice ? 'choice' : kindOf([type ?? []].flat()),
        choices,
        byDefault: typeof byDefault === 'string' ? byDefault : (JSON.stringify(byDefault) ?? ''),
      };
    },
  );
}

function kindOf(types: readonly string[]): Field['kind'] {
  const [type, ...others] = types.filter((each) => each !== 'null');
  if (others.length > 0) return 'json';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
}

/** What was filled in; empty fields are left out. Throws an error that names the field. */
export function argumentsFrom(
  fields: readonly Field[],
  filled: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const given = fields.flatMap((field) => {
    const value = filled[field.name] ?? '';
    return value === '' ? [] : [[field.name, valueOf(field, value)] as const];
  });
  return Object.fromEntries(given);
}

function valueOf({ name, kind }: Field, value: string): unknown {
  if (kind === 'text' || kind === 'choice') return value;
  if (kind === 'boolean') return value === 'true';
  try {
    return JSON.parse(value);
  } catch {
    throw new Error(`${name}: write a ${kind === 'number' ? 'number' : 'value as JSON, a text in quotes'}.`);
  }
}
