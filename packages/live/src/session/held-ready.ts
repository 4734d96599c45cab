// Makes many subscriptions ready at once, and keeps their resources watched until the subscriptions are in force.
import type { Target } from '../notify/watched.ts';
import type { TimeSlice } from '../time/time-slice.ts';

export class HeldReady {
  #held: (() => void)[] = [];
  #isReleased = false;

  /** Resolves when all are ready or the client has disconnected; rejects when one fails. */
  async all(targets: readonly Target[], slice: TimeSlice, isGone: () => boolean): Promise<void> {
    const waiting: Promise<void>[] = [];
    for (const { ready } of targets) {
      const pause = slice.pause();
      if (pause) await pause;
      if (isGone()) break;
      if (ready === undefined) continue;
      const each = ready().then((release) => this.#hold(release));
      // The promise may reject before it is awaited below.
      each.catch(() => undefined);
      waiting.push(each);
    }
    await Promise.all(waiting);
  }

  release(): void {
    this.#isReleased = true;
    for (const release of this.#held) release();
    this.#held = [];
  }

  #hold(release: (() => void) | void): void {
    if (release === undefined) return;
    if (this.#isReleased) release();
    else this.#held.push(release);
  }
}
