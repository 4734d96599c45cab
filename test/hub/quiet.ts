import { eventually } from '@tidings/live/testing';

/** The counts, once they have been constant for longer than the gateway merges list changes. */
export async function quiet(counts: () => number[]): Promise<number[]> {
  let [last, since] = [counts(), performance.now()];
  return eventually('no more changes of lists', () => {
    if (counts().join(' ') !== last.join(' ')) [last, since] = [counts(), performance.now()];
    return performance.now() - since > 300 ? last : undefined;
  });
}
