// One pass over the text of a document, for facts that JSON.parse does not report: numbers that lose digits, and the
// texts of its lists. The lists are stored as text: serialising a list takes longer than parsing it.
import { type Json, isList, isObject } from '../model/json.ts';
import { mostLevels } from '../model/nesting.ts';
import { type ArrayName, arrayNames } from '../model/vcon.ts';
import type { WrittenLists } from '../source/row.ts';
import { type Inexact, inexactNumber } from './inexact-numbers.ts';

const [quote, backslash, colon, newline] = [0x22, 0x5c, 0x3a, 0x0a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const [plus, minus, point, zero, nine, upperE, lowerE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65];

interface WrittenJson {
  /** The first number that loses digits. */
  inexact: Inexact | undefined;
  /** Empty if the document should be serialised. */
  lists: WrittenLists;
}

/** `value` is what the text was parsed to. */
export function writtenJson(text: string, value: Json): WrittenJson {
  const { inexact, lists, fields, levels, isOneLine } = scan(text);
  const isExact = inexact === undefined && levels <= mostLevels;
  // If a name occurs twice, only the later field is parsed, but the text has both.
  const isKept = isExact && isOneLine && fields === fieldCount(value);
  return { inexact, lists: isKept ? lists : {} };
}

function scan(text: string) {
  const lists: { -readonly [Name in ArrayName]?: string } = {};
  let inexact: Inexact | undefined;
  let [fields, level, levels, isOneLine] = [0, 0, 0, true];
  let [name, start] = ['', 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = closingQuote(text, at);
      // The string before a list is its name.
      if (level === 1) name = text.slice(at + 1, end);
      at = end;
    } else if (code === colon) fields += 1;
    else if (code === openList || code === openObject) {
      level += 1;
      levels = Math.max(levels, level);
      if (level === 2) start = at;
    } else if (code === closeList || code === closeObject) {
      level -= 1;
      if (level === 1 && isListName(name)) lists[name] = text.slice(start, at + 1);
    } else if (code === minus || isDigit(code)) {
      const end = numberEnd(text, at);
      // Most numbers are one digit.
      if (end > at + 1) inexact ??= inexactNumber(text.slice(at, end));
      at = end - 1;
    } else if (code === newline) isOneLine = false;
  }
  return { inexact, lists, fields, levels, isOneLine };
}

function isListName(name: string): name is ArrayName {
  return arrayNames.some((each) => each === name);
}

/** Index of the closing quote, or the end of the text. */
function closingQuote(text: string, opening: number): number {
  let closing = text.indexOf('"', opening + 1);
  while (closing !== -1 && isEscaped(text, closing)) closing = text.indexOf('"', closing + 1);
  return closing === -1 ? text.length : closing;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - 1 - before) % 2 === 1;
}

function numberEnd(text: string, from: number): number {
  let end = from + 1;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === point || code === lowerE || code === upperE || code === plus || code === minus;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/** The number of fields in all objects of a value that is not nested too deep. */
function fieldCount(value: Json): number {
  if (!isList(value) && !isObject(value)) return 0;
  const items = isList(value) ? value : Object.values(value);
  let count = items === value ? 0 : items.length;
  for (const item of items) if (typeof item === 'object') count += fieldCount(item);
  return count;
}
