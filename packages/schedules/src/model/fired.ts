// The occurrences of a schedule that have been fired, to recognise one that comes again because the clock was set back.
// Stored as ranges: every occurrence between the first and the last of a range was fired, so a schedule that never
// misses one has a single range.
import { z } from 'zod';

/** First and last occurrence, in milliseconds since the epoch. */
type FiredRange = readonly [from: number, to: number];

const rangesSchema = z.array(z.tuple([z.number(), z.number()]));

/** Each gap (a pause, downtime, a jump of the clock) begins a new range; the oldest ranges are forgotten. */
const mostRanges = 16;

export function parseFired(text: string | null): FiredRange[] {
  return text === null ? [] : rangesSchema.parse(JSON.parse(text));
}

export function wasFired(ranges: readonly FiredRange[], occurrence: number): boolean {
  return ranges.some(([from, to]) => from <= occurrence && occurrence <= to);
}

/** `before`: the previous occurrence. A range that ends there is extended. */
export function withFired(
  ranges: readonly FiredRange[],
  occurrence: number,
  before: number | undefined,
): readonly FiredRange[] {
  if (wasFired(ranges, occurrence)) return ranges;
  const [from = occurrence] = ranges.find(([, to]) => to === before) ?? [];
  return [...ranges.filter(([, to]) => to !== before), [from, occurrence] as const].slice(-mostRanges);
}
