// A document as one text, by which two of them are compared.
import { LiveError } from '@tidings/live';
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import { mostLevels } from './nesting.ts';

/** The same for the same content, in whatever order its fields were written. Refuses what is nested too deep. */
export function canonical(document: JsonObject): string {
  return JSON.stringify(inOrder(document, mostLevels));
}

function inOrder(value: Json, levels: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) {
    throw new LiveError('INVALID_PARAMS', `The vCon is nested more than ${mostLevels} levels deep: flatten it.`);
  }
  if (isList(value)) return value.map((item) => inOrder(item, levels - 1));
  if (!isObject(value)) return value;
  const fields: Record<string, Json> = {};
  for (const name of Object.keys(value).sort()) {
    const field = value[name];
    if (field === undefined) continue;
    const ordered = inOrder(field, levels - 1);
    // Assigned, it would become the prototype instead of a field.
    if (name === '__proto__') Object.defineProperty(fields, name, { value: ordered, enumerable: true });
    else fields[name] = ordered;
  }
  return fields;
}
