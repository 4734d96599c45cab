// Times from outside. An invalid one must not make the rest of the answer unreadable.

const farthest = 8.64e15;

/** ISO 8601 in UTC; undefined for no time at all. */
export function isoMoment(ms: number | undefined): string | undefined {
  return ms && Math.abs(ms) <= farthest ? new Date(ms).toISOString() : undefined;
}
