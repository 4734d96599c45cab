// One attempt to deliver a notification.
import type { Clock, Log } from '@tidings/live';
import { withTimeout } from '@tidings/live/time';
import type { Push } from '../backend.ts';
import { DeliveryError, type Notifier } from '../notifier.ts';
import type { Claimed } from './claim.ts';
import { type Outcome, afterFailure } from './retry.ts';

export interface AttemptOptions {
  notifier: Notifier;
  clock: Clock;
  log: Log;
  /** Well before the lease ends, so that no other process begins while this attempt is still waiting. */
  limitMs: number;
}

export async function attempt(claimed: Claimed, { notifier, clock, log, limitMs }: AttemptOptions): Promise<Outcome> {
  const message = `The notification was not taken within ${limitMs / 1000} s.`;
  const tooLong = () => new DeliveryError('UNAVAILABLE', message, { isTemporary: true });
  try {
    await withTimeout(clock, limitMs, notifier(pushOf(claimed)), tooLong);
    return { status: 'delivered' };
  } catch (error) {
    const outcome = afterFailure(error, claimed.tries);
    const { entryId, topic, tries } = claimed;
    log.warn({ err: error, entryId, topic, tries, status: outcome.status }, 'A notification could not be delivered.');
    return outcome;
  }
}

/** A repeated delivery is tagged, so that a recipient who has the first one can tell. */
function pushOf({ topic, body, again }: Claimed): Push {
  return { topic, message: body, ...(again && { tags: ['repeat'] }) };
}
