// Times in QStash's responses. An invalid one must not make the rest of the response unreadable.

const farthest = 8.64e15;

/** ISO 8601 in UTC; undefined for a missing, zero or invalid time. */
export function isoMoment(ms: number | undefined): string | undefined {
  return ms && Math.abs(ms) <= farthest ? new Date(ms).toISOString() : undefined;
}
