// Reads the events that all nodes have stored, in their common order, into this node's journal.
import type { Clock, Log, Timer } from '@tidings/live';
import { Rerun, every } from '@tidings/live/time';
import type { Store } from '@tidings/store';
import type { ArchiveTables } from './archive-schema.ts';
import { journalTopic } from './archive.ts';
import { positionOf, readEvent } from './stored-event.ts';
import type { Journal } from './journal.ts';

const pageSize = 1000;
const backstopMs = 1000;

export class SharedEvents {
  readonly #store: Store<ArchiveTables>;
  readonly #journal: Journal;
  readonly #log: Log;
  readonly #unfollow: () => void;
  readonly #backstop: Timer;
  readonly #reading = new Rerun(() => this.#read());
  #position: number;
  #isFailing = false;
  #isClosed = false;

  /** `position` is that of the journal's last event. */
  constructor(
    store: Store<ArchiveTables>,
    journal: Journal,
    position: number,
    { clock, log }: { clock: Clock; log: Log },
  ) {
    this.#store = store;
    this.#journal = journal;
    this.#position = position;
    this.#log = log;
    const look = () => void this.#reading.request();
    const want = store.feed.want?.(journalTopic);
    const unfollow = store.feed.follow({
      isSelective: true,
      change: ({ topics }) => void (topics.includes(journalTopic) && look()),
      gap: look,
    });
    this.#unfollow = () => {
      want?.end();
      unfollow();
    };
    this.#backstop = every(clock, backstopMs, look);
  }

  async close(): Promise<void> {
    this.#unfollow();
    this.#backstop.cancel();
    await this.#reading.request();
    this.#isClosed = true;
    await this.#reading.stop();
  }

  async #read(): Promise<void> {
    try {
      while (!this.#isClosed && (await this.#readPage()) === pageSize);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ err: error }, 'The journal could not be read; trying again.');
      this.#isFailing = true;
    }
  }

  async #readPage(): Promise<number> {
    const { db } = this.#store;
    const from = this.#position;
    const later = db.selectFrom('event').selectAll().where('position', '>', from).orderBy('position').limit(pageSize);
    const rows = await later.execute();
    const [first] = rows;
    if (first === undefined) return 0;
    // Failed transactions leave gaps in the numbers; events are lost only if all up to the first were removed.
    if (positionOf(first) > from + 1 && from > 0) {
      const oldest = await db.selectFrom('event').select('position').orderBy('position').executeTakeFirst();
      if (positionOf(oldest) === positionOf(first)) this.#journal.lose();
    }
    this.#position = positionOf(rows.at(-1));
    this.#journal.admit(rows.flatMap(readEvent));
    return rows.length;
  }
}
