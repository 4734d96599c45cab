import { eventually } from '@tidings/live/testing';

/** The counts, once they have been the same for longer than the gateway merges changes of a list. */
export async function quiet(counts: () => number[]): Promise<number[]> {
  let [last, since] = [counts(), performance.now()];
  return eventually('no more changes of lists', () => {
    if (counts().join(' ') !== last.join(' ')) [last, since] = [counts(), performance.now()];
    return performance.now() - since > 300 ? last : undefined;
  });
}
