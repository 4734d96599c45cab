// What is being made ready for many subscriptions at once, and held until they are in force.
import type { Target } from '../notify/watched.ts';
import type { TimeSlice } from '../time/time-slice.ts';

export class HeldReady {
  #held: (() => void)[] = [];
  #isReleased = false;

  /** Resolves when all are ready, or the client is gone; rejects when one failed. */
  async all(targets: readonly Target[], slice: TimeSlice, isGone: () => boolean): Promise<void> {
    const waiting: Promise<void>[] = [];
    for (const { ready } of targets) {
      const pause = slice.pause();
      if (pause) await pause;
      if (isGone()) break;
      if (ready === undefined) continue;
      const each = ready().then((release) => this.#hold(release));
      // It may fail before it is waited for below.
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
