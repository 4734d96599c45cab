// The received events in order, with their number and latency in each of the last seconds.
import type { TrackerEvent } from '@tidings/client/contract';
import { Observable } from './observable.ts';

interface TimelineEntry {
  /**
   * Counts received events from 1. Older events that were added later (`addPast`) have numbers below 0, the last added
   * ones the lowest.
   */
  number: number;
  /** Its position in the hub's journal. */
  cursor: string;
  event: TrackerEvent;
}

export interface Second {
  updates: number;
  errors: number;
  /** The slowest delivery in milliseconds; undefined if none was measured. */
  latencyMs: number | undefined;
}

const mostEntries = 50_000;
/** The same for older events, which a filter has found. */
const mostPast = 5000;
const chartSeconds = 60;

export class Timeline extends Observable {
  #entries: TimelineEntry[] = [];
  #count = 0;
  #pastCount = 0;
  /** The number of the oldest received event that is kept. */
  #firstNumber = 1;
  #cursors = new Set<string>();
  /** By second: of all servers, and of each. */
  readonly #seconds = new Map<number, Second>();
  readonly #ofServers = new Map<string, Map<number, Second>>();

  get entries(): readonly TimelineEntry[] {
    return this.#entries;
  }

  /** The number of events received so far. */
  get count(): number {
    return this.#count;
  }

  has(cursor: string): boolean {
    return this.#cursors.has(cursor);
  }

  /** `latencyMs`: only for an event that has just happened. */
  add(event: TrackerEvent, cursor: string, latencyMs?: number): void {
    this.#count += 1;
    this.#entries.push({ number: this.#count, cursor, event });
    // A gap has the cursor of an earlier event.
    if (event.type !== 'gap') this.#cursors.add(cursor);
    // In batches: removing one by one would move all others each time.
    if (this.#count - this.#firstNumber + 1 > mostEntries * 1.1) {
      this.#firstNumber = this.#count - mostEntries + 1;
      this.#drop(({ number }) => number > 0 && number < this.#firstNumber);
    }
    if (event.type === 'resource_update' || event.type === 'resource_error') this.#measure(event, latencyMs);
    this.changed();
  }

  /** Adds older events that a filter has found, in the order of their timestamps. */
  addPast(events: readonly { cursor: string; event: TrackerEvent }[]): void {
    const fresh = events.filter(({ cursor, event }) => event.type !== 'gap' && !this.#cursors.has(cursor));
    if (fresh.length === 0) return;
    this.#pastCount += fresh.length;
    const numbered = fresh.map(({ cursor, event }, index) => ({ number: index - this.#pastCount, cursor, event }));
    for (const { cursor } of fresh) this.#cursors.add(cursor);
    this.#entries = [...numbered, ...this.#entries].toSorted(
      (a, b) => Date.parse(a.event.timestamp) - Date.parse(b.event.timestamp) || a.number - b.number,
    );
    this.#drop(({ number }) => number < 0 && number >= mostPast - this.#pastCount);
    this.changed();
  }

  /** The number of events that were added with `addPast`. */
  get pastCount(): number {
    return this.#pastCount;
  }

  /** The last minute, oldest first, including the current second; of one server, or of all. */
  seconds(now: number, serverId?: string): Second[] {
    const last = Math.floor(now / 1000);
    const measured = serverId === undefined ? this.#seconds : this.#ofServers.get(serverId);
    return Array.from(
      { length: chartSeconds },
      (_, index) => measured?.get(last - chartSeconds + 1 + index) ?? { updates: 0, errors: 0, latencyMs: undefined },
    );
  }

  /** Updates of a server per minute, over the last minute. */
  perMinute(serverId: string, now: number): number {
    return this.seconds(now, serverId).reduce((sum, { updates }) => sum + updates, 0);
  }

  #drop(isDropped: (entry: TimelineEntry) => boolean): void {
    const [dropped, kept]: [TimelineEntry[], TimelineEntry[]] = [[], []];
    for (const entry of this.#entries) (isDropped(entry) ? dropped : kept).push(entry);
    for (const { cursor } of dropped) this.#cursors.delete(cursor);
    this.#entries = kept;
  }

  #measure({ type, serverId, timestamp }: MeasuredEvent, latencyMs: number | undefined): void {
    let ofServer = this.#ofServers.get(serverId);
    if (ofServer === undefined) this.#ofServers.set(serverId, (ofServer = new Map()));
    const second = Math.floor(Date.parse(timestamp) / 1000);
    for (const seconds of [this.#seconds, ofServer]) {
      const known = seconds.get(second) ?? { updates: 0, errors: 0, latencyMs: undefined };
      const isUpdate = type === 'resource_update';
      const slowest = isUpdate ? Math.max(known.latencyMs ?? -1, latencyMs ?? -1) : (known.latencyMs ?? -1);
      seconds.set(second, {
        updates: known.updates + (isUpdate ? 1 : 0),
        errors: known.errors + (isUpdate ? 0 : 1),
        latencyMs: slowest < 0 ? undefined : slowest,
      });
      trim(seconds);
    }
  }
}

type MeasuredEvent = Extract<TrackerEvent, { type: 'resource_update' | 'resource_error' }>;

/** Seconds are added nearly in order, so the first are the oldest. */
function trim(map: Map<number, unknown>): void {
  for (const second of map.keys()) {
    if (map.size <= chartSeconds * 2) return;
    map.delete(second);
  }
}
