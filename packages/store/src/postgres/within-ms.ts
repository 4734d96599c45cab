// A time limit for queries.
import type { Clock } from '@tidings/live';
import { withTimeout } from '@tidings/live/time';

/** Fails as the client does when it gives up a query: the connection cannot be used again. */
export function withinMs<T>(ms: number, answer: Promise<T>, clock: Clock): Promise<T> {
  return withTimeout(clock, ms, answer, () => new Error('Query read timeout'));
}
