// What a server has not agreed to, and when it is asked for again: all of it together, so that a thousand
// refusals make one more round and not a thousand. Rounds are further and further apart: up to half a minute
// where nothing was answered, up to five minutes where the server said no.
import type { Clock } from '@tidings/live';
import { Backoff } from '@tidings/live/time';
import { retryPauses } from '../base/retry-pauses.ts';
import type { MissingSubscription } from './subscriptions.ts';

const longestMs = { unanswered: 30_000, refused: 300_000 };

export class Retries {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #refusals = new Map<string, MissingSubscription>();
  #dueAt: number | undefined;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#backoff = new Backoff({ ...retryPauses, longestMs: longestMs.refused }, random);
  }

  /** Milliseconds until the next round; nothing where there is none. */
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

  /** What is to be asked for now; it is not in here any more. */
  takeDue(): string[] {
    if (this.dueMs !== 0) return [];
    const uris = [...this.#refusals.keys()];
    this.#refusals.clear();
    this.#dueAt = undefined;
    return uris;
  }

  /** After everything was asked for: sets the next round, if one is needed. `isNeeded`: for other reasons, too. */
  schedule(isNeeded = false): void {
    if (this.#refusals.size === 0 && !isNeeded) {
      this.#dueAt = undefined;
      this.#backoff.reset();
      return;
    }
    if (this.#dueAt !== undefined) return;
    const isUnanswered = isNeeded || this.counts.unanswered > 0;
    const waitMs = Math.min(this.#backoff.next(), isUnanswered ? longestMs.unanswered : longestMs.refused);
    this.#dueAt = this.#clock.now() + waitMs;
  }
}
