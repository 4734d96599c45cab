// JSON values. A vCon is stored exactly as it was given, including unknown fields.
import { type Json, type JsonObject, isObject as isRecord } from '@tidings/live/portable';

export type { Json, JsonObject };

/** With the type of a value that came from JSON. */
export function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
