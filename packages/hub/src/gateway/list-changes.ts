// Merges changes of lists that follow each other: a scene is removed, then its sources. Clients read the whole list
// again each time, so they are notified once, a moment later.
import type { Clock } from '@tidings/live';
import { Later } from '@tidings/live/time';

const mergeMs = 100;

export class ListChanges {
  readonly #telling: Later;

  constructor(clock: Clock, tell: () => void) {
    this.#telling = new Later(clock, tell);
  }

  changed(): void {
    this.#telling.request(mergeMs);
  }

  close(): void {
    this.#telling.cancel();
  }
}
