// JSON for a person to review, stricter than what is safe for a terminal: one line per field, and every character that
// could hide something (line breaks, terminal escapes, invisible and direction-changing characters) escaped.
import { indentedJson } from '../../base/indented-json.ts';

/** As from `JSON.stringify`. */
export function reviewableJson(json: string): string {
  const lines = indentedJson(JSON.parse(json), 2);
  return lines.replaceAll(/[^\P{C}\n]|[\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\uffa0]/gu, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${code}`;
  }).join('');
}
