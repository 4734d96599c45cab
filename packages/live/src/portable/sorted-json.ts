// A JSON value as one text, with which two values are compared.
import { isObject } from './is-object.ts';

/**
 * Equal for values that differ only in the order of their fields. The caller has checked the depth. `JSON.stringify`
 * with a function that sorts takes twice as long.
 */
export function sortedJson(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? 'null';
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const ordered = inOrder(value[name]);
    // An assignment to `__proto__` would set the prototype instead of a field.
    if (name === '__proto__') Object.defineProperty(fields, name, { value: ordered, enumerable: true });
    else fields[name] = ordered;
  }
  return fields;
}
