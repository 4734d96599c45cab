// Whether the hub uses more and more. Memory is compared over time, the second quarter of a soak with the last. The
// number of connections follows what clients do, and unused ones are kept for 75 s: handles are compared at rest.
import type { ChaosReport } from './chaos.ts';

const limits = {
  heapMb: { factor: 1.15, slack: 5 },
  handles: { factor: 1.15, slack: 20 },
};

/** What grew, in words. */
export function grown({ uses, rested }: Pick<ChaosReport, 'uses' | 'rested'>, say: (text: string) => void): string[] {
  const quarter = Math.max(1, Math.floor(uses.length / 4));
  const [early, late] = [uses.slice(quarter, 2 * quarter), uses.slice(-quarter)];
  const heap = [early, late].map((some) => median(some.map(({ heapMb }) => heapMb)));
  const handles = [rested.at(0)?.handles ?? 0, rested.at(-1)?.handles ?? 0];
  const found = { heapMb: heap, handles };
  return (['heapMb', 'handles'] as const).flatMap((field) => {
    const [before = 0, after = 0] = found[field];
    const { factor, slack } = limits[field];
    const words = `${field}: ${before.toFixed(1)} at first, ${after.toFixed(1)} at the end`;
    say(words);
    return after > before * factor && after > before + slack ? [words] : [];
  });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
