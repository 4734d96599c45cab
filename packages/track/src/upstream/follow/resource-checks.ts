// Reads of followed resources without a notification: polls, and checks of subscribed resources whose notifications may
// be lost. Listeners are notified if the content differs from what they were told.
import type { Clock } from '@tidings/live';
import { delay } from '@tidings/live/time';
import type { Mirror } from '../../mirror/mirror.ts';
import type { Listeners } from './listeners.ts';
import type { ResourceReads } from './resource-reads.ts';

/** How much later than a read that shows a change its notification may arrive. */
const overtakingMs = 500;

interface ResourceChecksDeps {
  mirror: Mirror;
  reads: ResourceReads;
  listeners: Listeners;
  clock: Clock;
}

export class ResourceChecks {
  readonly #deps: ResourceChecksDeps;

  constructor(deps: ResourceChecksDeps) {
    this.#deps = deps;
  }

  /** Reads a resource without a subscription and compares it. Resolves with its ttlMs, if it has one. */
  async poll(uri: string): Promise<number | undefined> {
    const { mirror, reads, listeners } = this.#deps;
    const record = mirror.get(uri);
    if (record === undefined) return undefined;
    const found = await reads.now(record);
    if (found?.isCurrent) listeners.compare(record, found.print());
    return found?.ttlMs;
  }

  /**
   * Reads a subscribed resource in case its notifications are lost. Resolves with whether listeners had to be notified.
   */
  async verify(uri: string): Promise<boolean> {
    const { mirror, reads, listeners, clock } = this.#deps;
    const record = mirror.get(uri);
    // A resource in doubt is compared anyway.
    if (record === undefined || record.doubt !== 0 || !reads.isWorthReading(record)) return false;
    const { version } = record;
    const found = await reads.now(record);
    if (found?.isCurrent !== true || found.hash === undefined) return false;
    if (!listeners.hold(record, found.hash)) await delay(clock, overtakingMs);
    const isNotified = record.version !== version || mirror.get(uri) !== record;
    return !isNotified && listeners.compare(record, found.hash);
  }
}
