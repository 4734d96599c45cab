// Coalescing windows. All windows of one length end in the order they began, so each length needs one
// queue and one timer, however many URIs change.
import type { Clock } from '../time/clock.ts';
import type { Watched } from './watched.ts';

interface Queue {
  /** The open windows, in the order of their ends. */
  open: { watched: Watched; endsAt: number }[];
  armed: boolean;
}

export class Windows {
  readonly #clock: Clock;
  readonly #onEnd: (watched: Watched) => void;
  readonly #queues = new Map<number, Queue>();

  constructor(clock: Clock, onEnd: (watched: Watched) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  begin(watched: Watched): void {
    const { windowMs } = watched;
    if (windowMs <= 0) return;
    watched.inWindow = true;
    let queue = this.#queues.get(windowMs);
    if (queue === undefined) this.#queues.set(windowMs, (queue = { open: [], armed: false }));
    queue.open.push({ watched, endsAt: this.#clock.now() + windowMs });
    if (!queue.armed) this.#arm(queue, windowMs);
  }

  #arm(queue: Queue, ms: number): void {
    queue.armed = true;
    this.#clock.after(ms, () => this.#expire(queue));
  }

  #expire(queue: Queue): void {
    const now = this.#clock.now();
    const firstOpen = queue.open.findIndex(({ endsAt }) => endsAt > now);
    const ended = queue.open.splice(0, firstOpen === -1 ? queue.open.length : firstOpen);
    const next = queue.open[0];
    // Before the windows that begin below, which end later.
    if (next) this.#arm(queue, Math.max(1, next.endsAt - now));
    else queue.armed = false;
    for (const { watched } of ended) {
      watched.inWindow = false;
      this.#onEnd(watched);
    }
  }
}
