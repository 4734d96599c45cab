// The header `Retry-After` of a response: seconds, or a date.
import type { Clock } from './clock.ts';

/** How long to wait; undefined if the response does not say, or names a time that is over. */
export function retryAfterMs({ headers }: Pick<Response, 'headers'>, clock: Pick<Clock, 'date'>): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.date();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
