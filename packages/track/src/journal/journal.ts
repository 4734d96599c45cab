// The journal: events in order, each with a cursor. The newest are in memory, so that replay is fast and a reader needs
// only a position; the archive keeps them for the next start.
import type { Clock, Log } from '@tidings/live';
import { callEach } from '../base/log.ts';
import type { TrackerEvent, UndatedEvent } from '@tidings/client/contract';

/** One event of the journal. */
export interface JournalEntry {
  readonly cursor: string;
  readonly event: TrackerEvent;
  /** The event as JSON, serialised once for all readers. */
  readonly json: string;
}

interface JournalLimits {
  entries: number;
  bytes: number;
}

interface JournalOptions {
  clock: Clock;
  limits: JournalLimits;
  /** Distinguishes this process's cursors from those of other processes and earlier runs. */
  life: string;
  /** Whether other processes append too: then an event counts once it is read back from the archive. */
  isShared?: boolean;
  /** Events from the archive, in order. */
  earlier: readonly Pick<JournalEntry, 'cursor' | 'json' | 'event'>[];
  log: Log;
}

/** A page of the journal: some entries, and where to continue. */
export interface JournalPage {
  entries: readonly JournalEntry[];
  /** Events between the requested position and the first of these have been dropped. */
  hasGap: boolean;
  /** The cursor to continue from. */
  cursor: string;
}

/**
 * All events in order, the newest 10,000 by default. `tracker.journal` is one.
 *
 * @example
 * const { entries, cursor } = tracker.journal.read({ limit: 100 });
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #listeners = new Set<() => void>();
  readonly #positions = new Map<string, number>();
  #entries: JournalEntry[] = [];
  /** The position of the first entry; positions only grow. */
  #first = 1;
  #bytes = 0;
  #seq = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    for (const entry of options.earlier) this.#push(entry);
  }

  /** Adds the timestamp, stores the event and calls the followers; those of a shared journal after it is stored. */
  append(event: UndatedEvent): JournalEntry {
    this.#seq += 1;
    const dated: TrackerEvent = { ...event, timestamp: new Date(this.#options.clock.date()).toISOString() };
    const entry = { cursor: `${this.#options.life}-${this.#seq}`, event: dated, json: JSON.stringify(dated) };
    if (this.#options.isShared) return entry;
    this.#push(entry);
    callEach(this.#listeners, this.#options.log);
    return entry;
  }

  /** Adds events read from the archive, of this process and others, in their common order. */
  admit(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#push(entry);
    if (entries.length > 0) callEach(this.#listeners, this.#options.log);
  }

  /** Events were lost: readers at any position get a gap. */
  lose(): void {
    this.#drop(this.#entries.length);
    this.#first += 1;
    callEach(this.#listeners, this.#options.log);
  }

  /** The position after the last entry. */
  get end(): number {
    return this.#first + this.#entries.length;
  }

  /** The position of the oldest entry. */
  get start(): number {
    return this.#first;
  }

  /** The cursor of the last entry. */
  get cursor(): string {
    return this.#entries.at(-1)?.cursor ?? `${this.#options.life}-0`;
  }

  /** The position after a cursor; undefined if the cursor is not known any more. */
  positionAfter(cursor: string): number | undefined {
    const position = this.#positions.get(cursor);
    if (position !== undefined) return position + 1;
    // The cursor was issued before the first event.
    return cursor === `${this.#options.life}-0` && this.#first === 1 ? 1 : undefined;
  }

  at(position: number): JournalEntry | undefined {
    return this.#entries[position - this.#first];
  }

  /** Up to `limit` entries after a cursor, or from the oldest. */
  read({ after, limit = 100 }: { after?: string | undefined; limit?: number } = {}): JournalPage {
    const position = after === undefined ? this.#first : this.positionAfter(after);
    const from = Math.max(position ?? this.#first, this.#first) - this.#first;
    const entries = this.#entries.slice(from, from + limit);
    const before = position === undefined ? this.cursor : (after ?? this.cursor);
    return { entries, hasGap: position === undefined, cursor: entries.at(-1)?.cursor ?? before };
  }

  /** The last `count` entries. */
  newest(count: number): JournalPage {
    return { entries: this.#entries.slice(-count), hasGap: false, cursor: this.cursor };
  }

  /** Calls `listener` after each event. Returns a function that stops this. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #push(entry: JournalEntry): void {
    this.#positions.set(entry.cursor, this.end);
    this.#entries.push(entry);
    this.#bytes += entry.json.length;
    const { limits } = this.#options;
    let excess = Math.max(0, this.#entries.length - limits.entries);
    for (let bytes = this.#bytes; bytes > limits.bytes && excess < this.#entries.length - 1; excess += 1) {
      bytes -= this.#entries[excess]?.json.length ?? 0;
    }
    // In batches: removing one entry moves all the others.
    if (excess > limits.entries / 8 || this.#bytes > limits.bytes) this.#drop(excess);
  }

  #drop(count: number): void {
    for (const { cursor, json } of this.#entries.slice(0, count)) {
      this.#positions.delete(cursor);
      this.#bytes -= json.length;
    }
    this.#entries = this.#entries.slice(count);
    this.#first += count;
  }
}
