// Admits as many callers as the pool has connections; the others wait here. The pool's own queue gives every caller the
// same few seconds, so with a slow server it would fail the last of many writes as if the server were unreachable. Here
// a caller waits as long as other callers finish.
import type { Clock, Timer } from '@tidings/live';

/** Waiting callers are refused when no caller has finished for this long. */
const stillMs = 5000;

interface QueuedCaller {
  enter(this: void): void;
  refuse(this: void, error: unknown): void;
}

export class ConnectionQueue {
  readonly #clock: Clock;
  readonly #stuck: () => Error;
  readonly #waiting = new Set<QueuedCaller>();
  #free: number;
  #doneAt = Number.NEGATIVE_INFINITY;
  /** Why the last caller could not connect; undefined if it could. */
  #failure: unknown;
  #timer: Timer | undefined;

  /** `stuck` creates the error of callers that are refused while others are busy. */
  constructor(size: number, clock: Clock, stuck: () => Error) {
    this.#free = size;
    this.#clock = clock;
    this.#stuck = stuck;
  }

  /** Resolves when a connection is free; each call is followed by one of `leave`. */
  enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#watch(this.#clock.now());
      this.#waiting.add({ enter: resolve, refuse: reject });
    });
  }

  /** A caller that could not be connected reports the reason. */
  leave(failure?: unknown): void {
    if (failure === undefined) this.#doneAt = this.#clock.now();
    this.#failure = failure;
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    if (this.#waiting.size === 0) this.#timer?.cancel();
    next.enter();
  }

  /** Refuses all waiting callers if no caller finishes for `stillMs` after `since`. */
  #watch(since: number): void {
    this.#timer = this.#clock.after(since + stillMs - this.#clock.now(), () => {
      if (this.#doneAt > since) return this.#watch(this.#doneAt);
      for (const waiting of this.#waiting) waiting.refuse(this.#failure ?? this.#stuck());
      this.#waiting.clear();
    });
  }
}
