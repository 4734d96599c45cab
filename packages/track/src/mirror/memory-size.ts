// Approximately how many bytes the result of a read takes in memory. Servers may put anything beside the text: URIs of
// any length, `_meta` of megabytes, a million empty contents.
import type { ReadResourceResult } from '@modelcontextprotocol/client';

const perObject = 100;
/** Strings take up to two bytes per character. */
const perCharacter = 2;
/** Objects take more per character of their JSON: `{},{},{}` takes this much. */
const perCharacterOfObjects = 20;

export function memorySize({ contents, ...rest }: ReadResourceResult): number {
  return contents.reduce((sum, content) => sum + ofFields(content), ofFields(rest));
}

/** The memory of the types of contents that are not kept themselves. */
export function memoryOfTypes(mimeTypes: readonly (string | undefined)[]): number {
  return mimeTypes.reduce((sum, type) => sum + ofValue(type), 0);
}

function ofFields(fields: object): number {
  return Object.values(fields).reduce((sum: number, value: unknown) => sum + ofValue(value), perObject);
}

function ofValue(value: unknown): number {
  if (typeof value === 'string') return value.length * perCharacter;
  if (typeof value !== 'object' || value === null) return 8;
  return JSON.stringify(value).length * perCharacterOfObjects;
}
