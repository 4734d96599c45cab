// The news of the journal for one agent, from its own position. It reads after each tick, so announcing a change never
// waits for an agent.
import { type News, newsOf } from '@tidings/client/tell';
import type { TrackerEvent } from '@tidings/client/contract';
import type { Clock } from '@tidings/live';
import { oncePerTick } from '@tidings/live/time';
import type { Journal } from '@tidings/track';

export interface JournalNewsDeps {
  journal: Journal;
  clock: Clock;
  /** Whether agents are notified of this event. Default: of every event. */
  isForAgents?(this: void, event: TrackerEvent): boolean;
  /** Called for each update or gap, in order. */
  offer(this: void, news: News): void;
  /** Called after the news of one tick. */
  caughtUp(this: void): void;
}

export class JournalNews {
  readonly #deps: JournalNewsDeps;
  readonly #unfollow: () => void;
  #position: number;
  #isClosed = false;

  /** `after`: the cursor of the last event that was offered before. Default: only events from now on. */
  constructor(after: string | undefined, deps: JournalNewsDeps) {
    const { journal } = deps;
    this.#deps = deps;
    // An unknown cursor gives a position before the oldest event, which counts as a gap.
    this.#position = after === undefined ? journal.end : (journal.positionAfter(after) ?? journal.start - 1);
    const readSoon = oncePerTick(deps.clock, () => this.#read());
    this.#unfollow = journal.follow(readSoon);
    readSoon();
  }

  /** The cursor of the last event that was read; undefined before the first one. */
  get cursor(): string | undefined {
    return this.#deps.journal.at(this.#position - 1)?.cursor;
  }

  close(): void {
    this.#isClosed = true;
    this.#unfollow();
  }

  #read(): void {
    if (this.#isClosed) return;
    const { journal, clock, isForAgents = () => true, offer, caughtUp } = this.#deps;
    if (this.#position < journal.start) {
      // Entries after that position were discarded, so it is not known what changed.
      offer(gapNow(clock));
      this.#position = journal.start;
    }
    for (; this.#position < journal.end; this.#position += 1) {
      const entry = journal.at(this.#position);
      for (const news of entry && isForAgents(entry.event) ? newsOf(entry.event) : []) offer(news);
    }
    caughtUp();
  }
}

/** The news after a gap: what changed until now is unknown. */
export function gapNow(clock: Clock): News {
  return { type: 'gap', timestamp: new Date(clock.date()).toISOString() };
}
