// One attempt to deliver a notification.
import type { Clock, Log } from '@tidings/live';
import { withTimeout } from '@tidings/live/time';
import { DeliveryError } from '../destination/delivery-error.ts';
import { type Push, repeatTag } from '../destination/destination.ts';
import type { Destinations } from '../destination/destinations.ts';
import type { Claimed } from './claim.ts';
import { type DeliveryOutcome, afterFailure } from './retry.ts';

interface AttemptOptions {
  destinations: Destinations;
  clock: Clock;
  log: Log;
  /** Ends well before the lease, so that no other process starts while this attempt is still waiting. */
  limitMs: number;
}

export async function attempt(
  claimed: Claimed,
  { destinations, clock, log, limitMs }: AttemptOptions,
): Promise<DeliveryOutcome> {
  const { entryId, topic, tries, mostTries, destination } = claimed;
  const message = `The notification was not accepted within ${limitMs / 1000} s.`;
  const tooLong = () => new DeliveryError('UNAVAILABLE', message, { isTemporary: true });
  try {
    await withTimeout(clock, limitMs, destinations.send(pushOf(claimed), destination), tooLong);
    return { status: 'delivered' };
  } catch (error) {
    const rules = { ...destinations.retriesFor(topic, destination), tries: mostTries };
    const outcome = afterFailure(error, tries, rules);
    log.warn({ err: error, entryId, topic, tries, status: outcome.status }, 'A notification could not be delivered.');
    return outcome;
  }
}

/** A repeated delivery has a tag, so that a recipient of the first one recognises it. */
function pushOf({ entryId, occurrence, topic, body, again }: Claimed): Push {
  const id = `${entryId}-${occurrence}`;
  return { id, at: occurrence, topic, message: body, ...(again && { tags: [repeatTag] }) };
}
