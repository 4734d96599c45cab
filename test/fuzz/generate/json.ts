// JSON text, which can contain more than a JavaScript value: numbers beyond a double, a duplicate key, nesting that
// would overflow JSON.stringify.

export type Json = null | boolean | number | string | JsonText | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Text that is inserted into the document unchanged. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonText);
}

export function writeJson(value: Json): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`);
  return `{${members.join(',')}}`;
}
