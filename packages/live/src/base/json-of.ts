// The JSON of a handler's return value.

/**
 * Returns undefined for undefined, functions and symbols. Throws for a BigInt, for a cycle, and for objects whose
 * contents JSON would silently drop (a Map, a Response, an Error).
 */
export function jsonOf(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  if (text === '{}') assertOwnMembers(value);
  return text;
}

function assertOwnMembers(value: unknown): void {
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind === 'Object' || (typeof value === 'object' && value !== null && 'toJSON' in value)) return;
  throw new TypeError(
    `A handler returned a ${kind} with contents that cannot be written as JSON: return objects, lists or text.`,
  );
}
