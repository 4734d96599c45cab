// One try to deliver.
import type { Clock, Log, Timer } from '@tidings/live';
import type { Push } from '../backend.ts';
import { DeliveryError, type Notifier } from '../notifier.ts';
import type { Claimed } from './claim.ts';
import { type Outcome, afterFailure } from './retry.ts';

export interface AttemptOptions {
  notifier: Notifier;
  clock: Clock;
  log: Log;
  /** Well before the lease ends, so that nobody else begins while this one is still waiting. */
  limitMs: number;
}

export async function attempt(claimed: Claimed, { notifier, clock, log, limitMs }: AttemptOptions): Promise<Outcome> {
  let timer: Timer | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    const message = `The notification was not taken within ${limitMs / 1000} s.`;
    timer = clock.after(limitMs, () => reject(new DeliveryError('UNAVAILABLE', message, { isTemporary: true })));
  });
  try {
    await Promise.race([notifier(pushOf(claimed)), tooLong]);
    return { status: 'delivered' };
  } catch (error) {
    const outcome = afterFailure(error, claimed.tries);
    const { entryId, topic, tries } = claimed;
    log.warn({ error, entryId, topic, tries, status: outcome.status }, 'A notification could not be delivered.');
    return outcome;
  } finally {
    timer?.cancel();
  }
}

/** Whoever may have got it already sees that this is the same one. */
function pushOf({ topic, body, again }: Claimed): Push {
  return { topic, message: body, ...(again && { tags: ['repeat'] }) };
}
