// Whether and when to try again after a delivery that failed.
import { LiveError } from '@tidings/live';
import { backoffMs } from '@tidings/live/time';
import { DeliveryError } from '../notifier.ts';

/** Five tries: at once, and after about 5, 20, 65 and 200 seconds. */
export const mostTries = 5;
const pauses = { firstMs: 5000, longestMs: 3_600_000, growth: 3 };

export type Outcome =
  | { status: 'delivered' }
  | { status: 'failed'; reason: string }
  | { status: 'retrying'; reason: string; pauseMs: number };

/** `tries` counts the one that failed. */
export function afterFailure(error: unknown, tries: number): Outcome {
  const reason = reasonOf(error);
  const { isTemporary, retryAfterMs = 0 } =
    error instanceof DeliveryError ? error : { isTemporary: !(error instanceof LiveError) };
  if (!isTemporary) return { status: 'failed', reason };
  if (tries >= mostTries) return { status: 'failed', reason: `Given up after ${tries} tries. ${reason}` };
  // A server may ask for a longer pause, up to the longest.
  const pauseMs = Math.min(Math.max(backoffMs(tries, pauses), retryAfterMs), pauses.longestMs);
  return { status: 'retrying', reason, pauseMs };
}

/** The text of errors that were not written for clients is not shown. */
function reasonOf(error: unknown): string {
  return error instanceof LiveError ? error.message : 'The notification could not be sent.';
}
