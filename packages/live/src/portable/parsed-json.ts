// Reads a text from outside that may not be JSON.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** The value of a JSON text, for a schema or a check; undefined if it is not JSON. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
