// A document from its bytes, or the reason why there is none.
import { isAscii, isUtf8 } from 'node:buffer';
import { inexactNumber } from './inexact-numbers.ts';
import { jsonFault } from './json-fault.ts';
import type { Piece } from './piece.ts';

export type Reading =
  | { kind: 'nothing' }
  | { kind: 'fault'; line: number; reason: string }
  | { kind: 'document'; line: number; value: unknown; warnings: readonly string[] };

export function readPiece({ line, fault, bytes }: Piece): Reading {
  if (fault !== undefined || bytes === undefined) return { kind: 'fault', line, reason: fault ?? 'empty' };
  const text = textOf(bytes);
  if (text === undefined) return { kind: 'fault', line, reason: 'not UTF-8: save it in that encoding' };
  if (text.trim() === '') return { kind: 'nothing' };
  try {
    return { kind: 'document', line, value: JSON.parse(text), warnings: warningsOf(text) };
  } catch {
    return { kind: 'fault', ...faultOf(text, line) };
  }
}

/** Most documents are ASCII, which is the same in Latin-1 and read from that in a fraction of the time. */
function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? withoutMark(bytes.toString()) : undefined;
}

/** Some editors begin a file with a byte-order mark. */
function withoutMark(text: string): string {
  return text.startsWith('\u{feff}') ? text.slice(1) : text;
}

function faultOf(text: string, firstLine: number): { line: number; reason: string } {
  const { at, what } = jsonFault(text);
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { line: firstLine + before.length - 1, reason: `not JSON: ${what} in column ${column}` };
}

function warningsOf(text: string): string[] {
  const inexact = inexactNumber(text);
  if (inexact === undefined) return [];
  const { written, kept } = inexact;
  const shown = written.length > 40 ? `${written.slice(0, 39)}…` : written;
  return [`a number with more digits than can be kept: ${shown} becomes ${kept}`];
}
