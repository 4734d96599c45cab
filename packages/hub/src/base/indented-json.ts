// JSON with a line for each field. What servers send may be nested a thousand levels deep: indented as usual, a hundred
// kilobytes of it would become hundreds of megabytes.
import { parsedJson } from '@tidings/live/portable';

/** Deeper levels are written on one line. */
const mostLevels = 32;

/** `value` is plain JSON; members that are undefined are left out. */
export function indentedJson(value: unknown, spaces: number): string {
  return written(value, ' '.repeat(spaces), '', 0);
}

/** A text that is a JSON object or list, with a line for each field; any other as it is. */
export function indentedIfJson(text: string): string {
  const value = parsedJson(text);
  return typeof value === 'object' && value !== null ? indentedJson(value, 2) : text;
}

function written(value: unknown, indent: string, before: string, level: number): string {
  if (typeof value !== 'object' || value === null || level >= mostLevels) return JSON.stringify(value) ?? 'null';
  const inner = before + indent;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item: unknown) => written(item, indent, inner, level + 1))
    : Object.entries(value).flatMap(([name, member]) =>
        member === undefined ? [] : [`${JSON.stringify(name)}: ${written(member, indent, inner, level + 1)}`],
      );
  const [open, close] = isList ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${before}${close}`;
}
