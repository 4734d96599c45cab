// Checks of parsed JSON that are cheaper than a schema: for messages that are well-formed beyond doubt.
import type { RequestId } from '@modelcontextprotocol/server';
import type { Fields } from '../portable/is-object.ts';

/** Whether the value is an object, as JSON.parse returns it. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export function hasOnly(fields: Fields, keys: ReadonlySet<string>): boolean {
  for (const key in fields) if (!keys.has(key)) return false;
  return true;
}

export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}
