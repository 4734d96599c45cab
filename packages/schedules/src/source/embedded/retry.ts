// Whether and when to retry a failed delivery.
import { LiveError } from '@tidings/live';
import { backoffMs } from '@tidings/live/time';
import type { RetryRules } from '../../model/tries.ts';
import { DeliveryError } from '../destination/delivery-error.ts';

const longestPauseMs = 3_600_000;

export type DeliveryOutcome =
  | { status: 'delivered' }
  | { status: 'failed'; reason: string }
  | { status: 'retrying'; reason: string; pauseMs: number };

/** `tries`: the number of attempts, including the failed one. */
export function afterFailure(error: unknown, tries: number, rules: RetryRules): DeliveryOutcome {
  const reason = reasonOf(error);
  const { isTemporary, retryAfterMs = 0 } =
    error instanceof DeliveryError ? error : { isTemporary: !(error instanceof LiveError) };
  if (!isTemporary) return { status: 'failed', reason };
  if (tries >= rules.tries) {
    return { status: 'failed', reason: `Given up after ${tries === 1 ? 'one try' : `${tries} tries`}. ${reason}` };
  }
  // A server may ask for a longer pause, up to the longest.
  const pauses = { firstMs: rules.pauseMs, longestMs: longestPauseMs, growth: 3 };
  const pauseMs = Math.min(Math.max(backoffMs(tries, pauses), retryAfterMs), longestPauseMs);
  return { status: 'retrying', reason, pauseMs };
}

/** Errors that were not written for clients are replaced by a general text. */
function reasonOf(error: unknown): string {
  return error instanceof LiveError ? error.message : 'The notification could not be sent.';
}
