// A time limit for requests to agents and servers.
import { type TimerSource, withTimeout } from '@tidings/live/time';

/** Settles as `work` does; rejects when that takes longer. */
export function inTime<T>(ms: number, work: Promise<T>, clock: TimerSource): Promise<T> {
  return withTimeout(clock, ms, work, () => new Error(`The agent did not answer within ${Math.round(ms / 1000)} s.`));
}
