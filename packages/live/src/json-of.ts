// The JSON of what a handler returned.

/**
 * Undefined for undefined, functions and symbols. Throws for a BigInt and a loop, and for objects such as
 * a Map, a Response or an Error, whose contents JSON would leave out without a word.
 */
export function jsonOf(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  if (text === '{}') assertOwnMembers(value);
  return text;
}

function assertOwnMembers(value: unknown): void {
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind === 'Object' || (typeof value === 'object' && value !== null && 'toJSON' in value)) return;
  throw new TypeError(`A handler returned a ${kind}, whose contents are no JSON: return objects, lists or text.`);
}
