// Times from outside. One that no calendar has must not make everything around it unreadable.

const farthest = 8.64e15;

/** ISO 8601 in UTC; undefined for no time at all. */
export function isoMoment(ms: number | undefined): string | undefined {
  return ms && Math.abs(ms) <= farthest ? new Date(ms).toISOString() : undefined;
}
