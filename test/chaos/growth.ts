// Checks whether the hub uses more and more resources. Memory: the second quarter of a soak is compared with the last
// one. Handles are compared at rest, because the number of connections follows the clients, and unused ones are kept
// for 75 s.
import type { ChaosReport } from './chaos.ts';

const limits = {
  heapMb: { factor: 1.15, slack: 5 },
  handles: { factor: 1.15, slack: 20 },
};

/** One line for each value that grew beyond its limit. */
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
