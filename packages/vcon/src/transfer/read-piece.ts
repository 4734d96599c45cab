// Parses the bytes of a document; returns the document or the reason for a failure.
import { isAscii, isUtf8 } from 'node:buffer';
import { shortened, withoutMark } from '@tidings/live/portable';
import type { Json } from '../model/json.ts';
import type { WrittenLists } from '../source/row.ts';
import type { Inexact } from './inexact-numbers.ts';
import { jsonFault } from './json-fault.ts';
import type { Piece } from './piece.ts';
import { writtenJson } from './written-json.ts';

type ReadPiece =
  | { kind: 'nothing' }
  | { kind: 'fault'; line: number; reason: string }
  | ({ kind: 'document'; line: number } & ImportedDocument);

export interface ImportedDocument {
  value: unknown;
  lists: WrittenLists;
  warnings: readonly string[];
}

export function readPiece({ line, fault, bytes }: Piece): ReadPiece {
  if (fault !== undefined || bytes === undefined) return { kind: 'fault', line, reason: fault ?? 'empty' };
  const text = textOf(bytes);
  if (text === undefined) return { kind: 'fault', line, reason: 'not UTF-8: save it in that encoding' };
  if (text.trim() === '') return { kind: 'nothing' };
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'fault', ...faultOf(text, line) };
  }
  const { inexact, lists } = writtenJson(text, value);
  return { kind: 'document', line, value, lists, warnings: inexact ? [warningOf(inexact)] : [] };
}

/** Most documents are ASCII, which can be decoded as Latin-1 in a fraction of the time. */
function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? withoutMark(bytes.toString()) : undefined;
}

function faultOf(text: string, firstLine: number): { line: number; reason: string } {
  const { at, what } = jsonFault(text);
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { line: firstLine + before.length - 1, reason: `not JSON: ${what} in column ${column}` };
}

function warningOf({ written, kept }: Inexact): string {
  return `a number with more digits than can be kept: ${shortened(written, 40)} becomes ${kept}`;
}
