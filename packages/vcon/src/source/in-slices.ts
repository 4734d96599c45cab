// Work in steps, as a generator does it, in time slices: after each step others may have their turn.
import type { TimeSlice } from '@tidings/live/time';
import type { Steps } from '../model/redaction.ts';

export async function inSlices<T>(steps: Steps<T>, slice: TimeSlice): Promise<T> {
  for (;;) {
    // Another one may have used up the slice that this one waited for.
    for (let pause = slice.pause(); pause; pause = slice.pause()) await pause;
    const { done, value } = steps.next();
    if (done) return value;
  }
}
