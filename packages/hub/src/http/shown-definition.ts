// A definition that is held back, as it is shown to the person who decides: what it was and what it would be.
import type { HeldDefinition } from '@tidings/track';
import type { ShownDefinition } from '@tidings/track/contract';
import { createTwoFilesPatch } from 'diff';
import { reviewableJson } from './reviewable-json.ts';

const longestDiff = 20_000;
const contextLines = 3;
/** Comparing for longer would delay everybody else. */
const comparingMs = 20;
/** As when there is nothing to compare with. */
const nothing = '';

/** `isWhole`: however long it is. Otherwise a reader of many is spared all of a very long one. */
export function shownDefinition(held: HeldDefinition, isWhole: boolean): ShownDefinition {
  const { kind, name, changes, hash, agreed, seen } = held;
  const whole = difference(agreed === undefined ? nothing : reviewableJson(agreed), reviewableJson(seen));
  const diff = isWhole ? whole : whole.slice(0, longestDiff).toWellFormed();
  return { kind, name, changes, hash, diff, cut: whole.length - diff.length };
}

function difference(before: string, after: string): string {
  const options = { context: contextLines, timeout: comparingMs };
  const patch = createTwoFilesPatch('', '', ended(before), ended(after), undefined, undefined, options);
  if (patch === undefined) return [...signed(before, '-'), ...signed(after, '+')].join('\n');
  // What comes before the first line is left out silently, as there is nothing.
  const lines = patch
    .split('\n')
    .slice(4)
    .filter((line) => !/^@@ -[01],/.test(line));
  return lines
    .map((line) => (line.startsWith('@@') ? '…' : line))
    .join('\n')
    .trimEnd();
}

function ended(text: string): string {
  return text === nothing ? nothing : `${text}\n`;
}

function signed(text: string, sign: string): string[] {
  return text === nothing ? [] : text.split('\n').map((line) => `${sign}${line}`);
}
