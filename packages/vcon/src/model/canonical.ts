// A document as one canonical text, with which two documents are compared.
import { isList, isObject, type Json, type JsonObject } from './json.ts';

/** Equal for documents that differ only in the order of their fields. The caller has checked the depth. */
export function canonical(document: JsonObject): string {
  return JSON.stringify(inOrder(document));
}

function inOrder(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const fields: Record<string, Json> = {};
  for (const name of Object.keys(value).sort()) {
    const field = value[name];
    if (field === undefined) continue;
    const ordered = inOrder(field);
    // An assignment to `__proto__` would set the prototype instead of a field.
    if (name === '__proto__') Object.defineProperty(fields, name, { value: ordered, enumerable: true });
    else fields[name] = ordered;
  }
  return fields;
}
