// A read that confirms what listeners hold counts only once notifications have arrived after it: the read may
// have seen a later change whose notification was lost because the stream had just died.
import type { Clock } from '@tidings/live';
import { Later } from '@tidings/live/time';
import type { ResourceRecord } from './resource-record.ts';

const checkEveryMs = 250;
/** Longer than it takes to detect a dead stream. */
const longestMs = 60_000;

interface PendingConfirmationsOptions {
  clock: Clock;
  /** The clock's time up to which notifications are known to have arrived. */
  heardAt(this: void): number;
  settled(this: void, record: ResourceRecord): void;
}

export class PendingConfirmations {
  readonly #options: PendingConfirmationsOptions;
  readonly #waiting = new Set<ResourceRecord>();
  readonly #checking: Later;

  constructor(options: PendingConfirmationsOptions) {
    this.#options = options;
    this.#checking = new Later(options.clock, () => this.#check());
  }

  add(record: ResourceRecord, at: number): void {
    record.settlesAt = at;
    if (this.#isDue(record)) return this.#settle(record);
    // In the order of `settlesAt`.
    this.#waiting.delete(record);
    this.#waiting.add(record);
    this.#checking.request(checkEveryMs);
  }

  /** Notifications may have been lost: a confirmation that has not settled does not count. */
  lose(record: ResourceRecord): void {
    this.#waiting.delete(record);
    if (record.settlesAt === undefined) return;
    record.settlesAt = undefined;
    // If it was never told, only a client that read it just before can hold something else.
    if (record.isKnownToReaders) record.journal.lose();
    else record.isUncertain = true;
  }

  clear(): void {
    this.#waiting.clear();
    this.#checking.cancel();
  }

  #check(): void {
    for (const record of this.#waiting) {
      if (record.settlesAt !== undefined && !this.#isDue(record)) break;
      this.#waiting.delete(record);
      if (record.settlesAt !== undefined) this.#settle(record);
    }
    if (this.#waiting.size > 0) this.#checking.request(checkEveryMs);
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
