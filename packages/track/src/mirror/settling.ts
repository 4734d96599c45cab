// What a read confirmed after a telling counts only once the notifications have been heard from after that
// read: it may have seen a later change, whose own notification is lost if the stream has just died.
import type { Clock, Timer } from '@tidings/live';
import type { ResourceRecord } from './resource-record.ts';

const lookEveryMs = 250;
/** Longer than any dead stream goes unnoticed that is ever heard from when it is quiet. */
const longestMs = 60_000;

export interface SettlingOptions {
  clock: Clock;
  /** Until when notifications are known to have arrived. */
  heardAt(this: void): number;
  settled(this: void, record: ResourceRecord): void;
}

export class Settling {
  readonly #options: SettlingOptions;
  readonly #waiting = new Set<ResourceRecord>();
  #timer: Timer | undefined;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  add(record: ResourceRecord, at: number): void {
    record.settlesAt = at;
    if (this.#isDue(record)) return this.#settle(record);
    // The one that was added last is the last.
    this.#waiting.delete(record);
    this.#waiting.add(record);
    this.#timer ??= this.#options.clock.after(lookEveryMs, () => this.#look());
  }

  /** Notifications of it may have been lost: what has not settled does not hold. */
  lose(record: ResourceRecord): void {
    this.#waiting.delete(record);
    if (record.settlesAt === undefined) return;
    record.settlesAt = undefined;
    // Of what was never told, only a reader that read it just before can hold something else.
    if (record.wasTold) record.journal.lose();
    else record.isUncertain = true;
  }

  clear(): void {
    this.#waiting.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #look(): void {
    this.#timer = undefined;
    for (const record of this.#waiting) {
      if (record.settlesAt !== undefined && !this.#isDue(record)) break;
      this.#waiting.delete(record);
      if (record.settlesAt !== undefined) this.#settle(record);
    }
    if (this.#waiting.size > 0) this.#timer = this.#options.clock.after(lookEveryMs, () => this.#look());
  }

  #isDue({ settlesAt = 0 }: ResourceRecord): boolean {
    const { clock, heardAt } = this.#options;
    return heardAt() > settlesAt || clock.now() >= settlesAt + longestMs;
  }

  #settle(record: ResourceRecord): void {
    record.settlesAt = undefined;
    this.#options.settled(record);
  }
}
