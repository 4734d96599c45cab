// The arguments of a tool or prompt on the command line: one JSON object, and `--arg name=value` for single ones. A
// value gets the type in the tool's schema; values that are not strings are written as JSON.
import { messageOf } from '@tidings/live/portable';
import { z } from 'zod';
import { Failure } from '../terminal/failure.ts';
import { closest } from './closest.ts';

export interface GivenArguments {
  /** A JSON object, as text. */
  json?: string | undefined;
  /** `name=value`, as given. */
  pairs: readonly string[];
}

const object = z.record(z.string(), z.unknown());
const properties = z.object({ properties: z.record(z.string(), z.unknown()).default({}) }).catch({ properties: {} });
const typed = z.object({ type: z.union([z.string(), z.array(z.string())]) });

export function givenToolArguments(given: GivenArguments, inputSchema: unknown): Record<string, unknown> {
  const { properties: known } = properties.parse(inputSchema);
  const single = pairsOf(given).map(([name, text]) => {
    assertKnown(name, Object.keys(known));
    return [name, valueOf(name, text, typesOf(known[name]))] as const;
  });
  return { ...parsedObject(given.json), ...Object.fromEntries(single) };
}

/** Arguments of prompts are strings. */
export function givenPromptArguments(
  given: GivenArguments,
  known: readonly { name: string; required?: boolean | undefined }[],
): Record<string, string> {
  const names = known.map(({ name }) => name);
  const fromJson = Object.entries(parsedObject(given.json)).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  const all = [...fromJson, ...pairsOf(given)];
  for (const [name] of all) assertKnown(name, names);
  const missing = known.filter(({ name, required }) => required && all.every(([other]) => other !== name));
  if (missing.length > 0) {
    const shown = missing.map(({ name }) => `--arg ${name}=…`).join(' ');
    throw new Failure(`The prompt needs ${missing.length === 1 ? 'an argument' : 'arguments'}: ${shown}`, 2);
  }
  return Object.fromEntries(all);
}

function parsedObject(json: string | undefined): Record<string, unknown> {
  if (json === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const reason = messageOf(error);
    throw new Failure(`The arguments are not JSON: ${reason}. Write '{"name": "value"}', or --arg name=value.`, 2);
  }
  const { data } = object.safeParse(value);
  if (data === undefined || Array.isArray(value)) {
    throw new Failure(`The arguments are not a JSON object. Write '{"name": "value"}', or --arg name=value.`, 2);
  }
  return data;
}

function pairsOf({ pairs }: GivenArguments): [string, string][] {
  return pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new Failure(`--arg is name=value, not "${pair}".`, 2);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
}

function assertKnown(name: string, known: readonly string[]): void {
  // A schema without properties may accept any.
  if (known.length === 0 || known.includes(name)) return;
  const [similar] = closest(name, known);
  const advice = similar === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${similar}"?`;
  throw new Failure(`There is no argument "${name}". ${advice}`, 2);
}

/** Empty if the schema does not say. */
function typesOf(schema: unknown): readonly string[] {
  const { data } = typed.safeParse(schema);
  return data === undefined ? [] : [data.type].flat();
}

function valueOf(name: string, text: string, types: readonly string[]): unknown {
  if (types.includes('string')) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Where the schema does not name a type, a word is a string.
    if (types.length === 0) return text;
    throw new Failure(`--arg ${name}: "${text}" is not of the type ${types.join(' or ')}. Write the value as JSON.`, 2);
  }
}
