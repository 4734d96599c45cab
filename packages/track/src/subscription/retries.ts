// Subscriptions that are missing, and when they are requested again: all of them together, so that a thousand
// refusals make one more round and not a thousand. The pauses between rounds grow, up to half a minute.
import type { Clock } from '@tidings/live';
import { Backoff } from '@tidings/live/time';
import { retryPauses } from '../base/retry-pauses.ts';
import type { MissingSubscription } from './subscriptions.ts';

export class Retries {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #refusals = new Map<string, MissingSubscription>();
  #dueAt: number | undefined;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#backoff = new Backoff(retryPauses, random);
  }

  /** Milliseconds until the next round; undefined if none is needed. */
  get dueMs(): number | undefined {
    return this.#dueAt === undefined ? undefined : Math.max(0, this.#dueAt - this.#clock.now());
  }

  get counts(): { refused: number; unanswered: number } {
    let unanswered = 0;
    for (const { isTransient } of this.#refusals.values()) if (isTransient) unanswered += 1;
    return { refused: this.#refusals.size - unanswered, unanswered };
  }

  get all(): ReadonlyMap<string, MissingSubscription> {
    return this.#refusals;
  }

  add(refusal: MissingSubscription): void {
    this.#refusals.set(refusal.uri, refusal);
  }

  delete(uri: string): void {
    this.#refusals.delete(uri);
  }

  /** The URIs to be requested now; they are removed from here. */
  takeDue(): string[] {
    if (this.dueMs !== 0) return [];
    const uris = [...this.#refusals.keys()];
    this.#refusals.clear();
    this.#dueAt = undefined;
    return uris;
  }

  /** After a round: schedules the next one, if one is needed. `isNeeded`: for other reasons than missing URIs. */
  schedule(isNeeded = false): void {
    if (this.#refusals.size === 0 && !isNeeded) {
      this.#dueAt = undefined;
      this.#backoff.reset();
      return;
    }
    if (this.#dueAt !== undefined) return;
    this.#dueAt = this.#clock.now() + this.#backoff.next();
  }
}
