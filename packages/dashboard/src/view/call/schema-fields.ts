// The fields of a form, from the JSON Schema of a tool or the arguments of a prompt, and the arguments from its values.
import { catch as otherwise } from 'zod/mini';
import * as z from 'zod/mini';

export interface SchemaField {
  name: string;
  title: string;
  description: string;
  isRequired: boolean;
  /** `choices`: any number of them; `json`: any value, written as JSON. */
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'choices' | 'json';
  choices: readonly Choice[];
  /** The type of the input element, for texts of a known format. */
  inputType: 'text' | 'email' | 'url' | 'date';
  /** The server's default; empty if it declares none. */
  byDefault: string;
}

interface Choice {
  value: string;
  /** The name shown to the user. */
  label: string;
}

const text = otherwise(z.optional(z.string()), undefined);
const titled = otherwise(
  z.optional(z.array(z.object({ const: z.string(), title: z.optional(z.string()) }))),
  undefined,
);
const texts = otherwise(z.optional(z.array(z.string())), undefined);
/** One of several, as tools (`enum`) and the forms of servers (`oneOf`, `enumNames`) write it. */
const choosing = z.looseObject({ enum: texts, enumNames: texts, oneOf: titled, anyOf: titled });
const property = z.looseObject({
  ...choosing.shape,
  type: otherwise(z.optional(z.union([z.string(), z.array(z.string())])), undefined),
  title: text,
  description: text,
  format: text,
  default: z.optional(z.unknown()),
  items: otherwise(z.optional(choosing), undefined),
});
const objectSchema = z.looseObject({
  properties: otherwise(z.optional(z.record(z.string(), otherwise(property, {}))), undefined),
  required: otherwise(z.optional(z.array(z.string())), undefined),
});

const inputTypes: Readonly<Record<string, SchemaField['inputType']>> = { email: 'email', uri: 'url', date: 'date' };
/** A schema may have any number of fields; with more, the page would be too slow. */
const mostFields = 200;
const mostChoices = 1000;

/** Up to `mostFields` fields, required ones first. */
export function fieldsOf(schema: unknown): SchemaField[] {
  const { properties = {}, required = [] } = objectSchema.safeParse(schema).data ?? {};
  const needed = new Set(required);
  const all = Object.entries(properties);
  const shown = all.length <= mostFields ? all : all.toSorted(([a], [b]) => rank(needed, a) - rank(needed, b));
  return shown
    .slice(0, mostFields)
    .map(([name, { type, title, description, format = '', items, default: byDefault, ...rest }]) => {
      const types = [type ?? []].flat();
      const [one, any] = [choicesOf(rest), types.includes('array') ? choicesOf(items ?? {}) : []];
      return {
        name,
        title: title ?? name,
        description: description ?? '',
        isRequired: needed.has(name),
        kind: one.length > 0 ? 'choice' : any.length > 0 ? 'choices' : kindOf(types),
        choices: one.length > 0 ? one : any,
        inputType: inputTypes[format] ?? 'text',
        byDefault: typeof byDefault === 'string' ? byDefault : (JSON.stringify(byDefault) ?? ''),
      };
    });
}

function rank(needed: ReadonlySet<string>, name: string): number {
  return needed.has(name) ? 0 : 1;
}

/** Empty if there are too many to show. */
function choicesOf({ enum: values = [], enumNames = [], oneOf, anyOf }: z.infer<typeof choosing>): Choice[] {
  const named = oneOf ?? anyOf;
  if ((named ?? values).length > mostChoices) return [];
  if (named) return named.map(({ const: value, title }) => ({ value, label: title ?? value }));
  return values.map((value, index) => ({ value, label: enumNames[index] ?? value }));
}

/** The initial values of the fields. */
export function defaultsOf(fields: readonly SchemaField[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, byDefault }) => [name, byDefault]));
}

function kindOf(types: readonly string[]): SchemaField['kind'] {
  const [type, ...others] = types.filter((each) => each !== 'null');
  if (others.length > 0) return 'json';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
}

/** The value of a field; empty at first. A field may have a name that every object inherits, such as `constructor`. */
export function valueIn(filled: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(filled, name) ? filled[name] : undefined) ?? '';
}

/** The arguments without empty fields. Throws an error that names an invalid field. */
export function argumentsFrom(
  fields: readonly SchemaField[],
  filled: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const given = fields.flatMap((field) => {
    const value = valueIn(filled, field.name);
    return value === '' ? [] : [[field.name, valueOf(field, value)] as const];
  });
  return Object.fromEntries(given);
}

function valueOf({ name, kind }: SchemaField, value: string): unknown {
  if (kind === 'text' || kind === 'choice') return value;
  if (kind === 'boolean') return value === 'true';
  try {
    return JSON.parse(value);
  } catch {
    throw new Error(`${name}: write a ${kind === 'number' ? 'number' : 'value as JSON, a text in quotes'}.`);
  }
}
