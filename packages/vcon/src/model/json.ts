// JSON values. A vCon is stored exactly as it was given, including unknown fields.
import type { Json, JsonObject } from '@tidings/live/portable';

export type { Json, JsonObject };

/** Like that of `@tidings/live/portable`, with the narrower type of a value that came from JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
