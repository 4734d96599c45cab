// Which updates in a part of the journal are the latest of their resource: a reader that is behind needs no others.
import type { Journal } from '../journal/journal.ts';

export class LatestUpdates {
  readonly end: number;
  readonly #start: number;
  readonly #positions = new Set<number>();

  /** From the position `start` up to, but without, `end`. */
  constructor(journal: Pick<Journal, 'at'>, start: number, end: number) {
    this.#start = start;
    this.end = end;
    const seen = new Map<string, Set<string>>();
    // Backwards, so that the first one that is met is the latest.
    for (let position = end - 1; position >= start; position -= 1) {
      const event = journal.at(position)?.event;
      if (event?.type !== 'resource_update') continue;
      const uris = seen.get(event.serverId) ?? new Set();
      if (uris.has(event.resourceUri)) continue;
      seen.set(event.serverId, uris.add(event.resourceUri));
      this.#positions.add(position);
    }
  }

  covers(position: number): boolean {
    return position >= this.#start && position < this.end;
  }

  has(position: number): boolean {
    return this.#positions.has(position);
  }
}
