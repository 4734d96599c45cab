// Whether the hub uses more and more: the second quarter of a soak compared with the last.
import type { HubUse } from './chaos.ts';

const limits = {
  heapMb: { factor: 1.15, slack: 5 },
  handles: { factor: 1.15, slack: 20 },
};

/** What grew, in words. */
export function grown(uses: readonly HubUse[], say: (text: string) => void): string[] {
  const quarter = Math.floor(uses.length / 4);
  if (quarter < 1) return [];
  const [early, late] = [uses.slice(quarter, 2 * quarter), uses.slice(-quarter)];
  return (['heapMb', 'handles'] as const).flatMap((field) => {
    const [before, after] = [median(early.map((use) => use[field])), median(late.map((use) => use[field]))];
    const { factor, slack } = limits[field];
    const words = `${field}: ${before.toFixed(1)} in the second quarter, ${after.toFixed(1)} in the last`;
    say(words);
    return after > before * factor && after > before + slack ? [words] : [];
  });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
