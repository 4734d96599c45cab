// A held definition in the form for review: the difference between the accepted version and the new one.
import type { HeldDefinition } from '@tidings/track/internal';
import type { ShownDefinition } from '@tidings/client/contract';
import { createTwoFilesPatch } from 'diff';
import { reviewableJson } from './reviewable-json.ts';

const longestDiff = 20_000;
const contextLines = 3;
/**
 * Comparing texts that differ in more lines would delay other requests. Not a time limit: on a busy machine a small
 * change would be shown as a change of everything.
 */
const maxEditLength = 500;
/** Stands for a missing previous version. */
const nothing = '';

/** `isWhole`: not cut. In a list of many, long differences are cut. */
export function definitionForReview(held: HeldDefinition, isWhole: boolean): ShownDefinition {
  const { kind, name, changes, hash, agreed, seen } = held;
  const whole = definitionPatch(agreed === undefined ? nothing : reviewableJson(agreed), reviewableJson(seen));
  const diff = isWhole ? whole : whole.slice(0, longestDiff).toWellFormed();
  return { kind, name, changes, hash, diff, cut: whole.length - diff.length };
}

function definitionPatch(before: string, after: string): string {
  const options = { context: contextLines, maxEditLength };
  const patch = createTwoFilesPatch('', '', ended(before), ended(after), undefined, undefined, options);
  if (patch === undefined) return [...signed(before, '-'), ...signed(after, '+')].join('\n');
  // No `…` before the first line, where no lines were left out.
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
