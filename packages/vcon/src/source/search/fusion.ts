// Merges two result lists by their ranks, since scores of different kinds cannot be compared.
import type { Result } from './visible-hits.ts';

/** Softens the difference between the first ranks. */
const softening = 60;

export function fused(matching: readonly Result[], near: readonly Result[], weightOfNear: number): Result[] {
  const all = new Map<string, Result & { score: number }>();
  for (const [list, weight] of [
    [matching, 1 - weightOfNear],
    [near, weightOfNear],
  ] as const) {
    for (const [rank, result] of list.entries()) {
      const before = all.get(result.uuid);
      const score = (before?.score ?? 0) + weight / (softening + rank + 1);
      all.set(result.uuid, { ...result, ...before, score });
    }
  }
  return [...all.values()].filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
}
