// The events that were received, in order, with their number and latency in each of the last seconds.
import type { TrackerEvent } from '@tidings/client/contract';
import { Observable } from './observable.ts';

export interface TimelineEntry {
  /** Counts up from 1; never reused. */
  number: number;
  /** Its place in the hub's journal. */
  cursor: string;
  event: TrackerEvent;
}

export interface Second {
  updates: number;
  /** The slowest delivery, in milliseconds; nothing where none was measured. */
  latencyMs: number | undefined;
}

const mostEntries = 50_000;
const chartSeconds = 60;

export class Timeline extends Observable {
  #entries: TimelineEntry[] = [];
  #count = 0;
  #cursors = new Set<string>();
  #seconds = new Map<number, Second>();
  #rates = new Map<string, Map<number, number>>();

  get entries(): readonly TimelineEntry[] {
    return this.#entries;
  }

  /** How many were ever received. */
  get count(): number {
    return this.#count;
  }

  has(cursor: string): boolean {
    return this.#cursors.has(cursor);
  }

  /** `latencyMs` of an event that has just happened. */
  add(event: TrackerEvent, cursor: string, latencyMs?: number): void {
    this.#count += 1;
    this.#entries.push({ number: this.#count, cursor, event });
    // A gap bears the cursor of an event that came before it.
    if (event.type !== 'gap') this.#cursors.add(cursor);
    // Not one by one, which would move all the others each time.
    if (this.#entries.length > mostEntries * 1.1) {
      for (const { cursor } of this.#entries.splice(0, this.#entries.length - mostEntries)) {
        this.#cursors.delete(cursor);
      }
    }
    if (event.type === 'resource_update') this.#measure(event.serverId, Date.parse(event.timestamp), latencyMs);
    this.changed();
  }

  /** The last minute, oldest first, up to the second that is not over yet. */
  seconds(now: number): Second[] {
    const last = Math.floor(now / 1000);
    return Array.from(
      { length: chartSeconds },
      (_, index) => this.#seconds.get(last - chartSeconds + 1 + index) ?? { updates: 0, latencyMs: undefined },
    );
  }

  /** Updates of a server per minute, over the last minute. */
  perMinute(serverId: string, now: number): number {
    const oldest = Math.floor(now / 1000) - chartSeconds;
    let sum = 0;
    for (const [second, updates] of this.#rates.get(serverId) ?? []) if (second > oldest) sum += updates;
    return sum;
  }

  #measure(serverId: string, at: number, latencyMs: number | undefined): void {
    const second = Math.floor(at / 1000);
    const known = this.#seconds.get(second);
    const slowest = Math.max(known?.latencyMs ?? -1, latencyMs ?? -1);
    this.#seconds.set(second, {
      updates: (known?.updates ?? 0) + 1,
      latencyMs: slowest < 0 ? undefined : slowest,
    });
    let rates = this.#rates.get(serverId);
    if (rates === undefined) this.#rates.set(serverId, (rates = new Map()));
    rates.set(second, (rates.get(second) ?? 0) + 1);
    for (const map of [this.#seconds, rates]) trim(map);
  }
}

/** Seconds are added in order, near enough: the first are the oldest. */
function trim(map: Map<number, unknown>): void {
  for (const second of map.keys()) {
    if (map.size <= chartSeconds * 2) return;
    map.delete(second);
  }
}
