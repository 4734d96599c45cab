// Runs the steps of a generator in time slices, with other work in between.
import type { TimeSlice } from '@tidings/live/time';
import type { Steps } from '../model/redaction.ts';

export async function inSlices<T>(steps: Steps<T>, slice: TimeSlice): Promise<T> {
  for (;;) {
    // Another caller may have used up the slice that this one waited for.
    for (let pause = slice.pause(); pause; pause = slice.pause()) await pause;
    const { done, value } = steps.next();
    if (done) return value;
  }
}
