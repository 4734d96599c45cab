// How long to wait before a listen stream that ended is opened again: no pause after a stream that lasted, otherwise
// growing pauses.
import type { Clock } from '@tidings/live';
import { Backoff } from '@tidings/live/time';
import { retryPauses } from '../../base/retry-pauses.ts';
import type { ReconciledSession } from './reconciled-session.ts';

/** A listen stream that lasted this long may be opened again at once. */
const steadyStreamMs = 5000;

export class StreamPauses {
  readonly #clock: Clock;
  readonly #backoff: Backoff;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#backoff = new Backoff(retryPauses, random);
  }

  /** The pause after a stream of this session that has just ended. */
  next(current: ReconciledSession): number {
    const isSteady = this.#clock.now() - current.streamsSince > steadyStreamMs;
    if (isSteady) this.#backoff.reset();
    current.streamsSince = this.#clock.now();
    return isSteady ? 0 : this.#backoff.next();
  }
}
