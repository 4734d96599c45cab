// After a gap: reads the resources in doubt again, a few at a time, and notifies listeners whose last known content
// differs.
import type { Clock } from '@tidings/live';
import { forEachLimited } from '@tidings/live/time';
import type { Doubts } from '../../mirror/doubts.ts';
import type { CheckedContent } from '../../mirror/mirror.ts';
import { HangingReads } from '../../mirror/hanging-reads.ts';
import type { ResourceRecord } from '../../mirror/resource-record.ts';
import type { ResourceServer } from '../../mirror/resource-server.ts';
import type { Telemetry } from '../../base/telemetry.ts';
import type { Listeners, Uncompared } from './listeners.ts';
import type { ResourceReads } from './resource-reads.ts';

interface HealingDeps {
  serverId: string;
  clock: Clock;
  telemetry: Telemetry;
  server: ResourceServer;
  doubts: Doubts;
  reads: ResourceReads;
  listeners: Listeners;
  /** How many resources are read at the same time. */
  readsAtOnce: number;
}

/** The session under which resources are compared. */
export interface HealingSession {
  /** Whether updates of the resource are notified or polled for. */
  isInForce(this: void, uri: string): boolean;
  /**
   * Whether the session is still the current one. Resources that were not compared in it stay in doubt for the next.
   */
  isCurrent(this: void): boolean;
}

interface HealingOutcome {
  changed: number;
  same: number;
  /** Resources that were followed before, and may or may not have changed. */
  uncompared: Uncompared[];
  /** Resources of which the journal's readers may hold other contents than were compared. */
  uncertain: ResourceRecord[];
}

export class Healing {
  readonly #deps: HealingDeps;
  readonly #hanging: HangingReads;

  constructor(deps: HealingDeps) {
    this.#deps = deps;
    this.#hanging = new HangingReads(deps.clock, deps.readsAtOnce);
  }

  /**
   * Compares what is in doubt. Calls `onlyLate` when nothing is left but reads that hang; resolves when these have ended,
   * too.
   */
  async run(session: HealingSession, onlyLate: () => void = () => undefined): Promise<void> {
    const { clock, doubts, readsAtOnce } = this.#deps;
    const records = [...doubts.records].filter(({ uri }) => session.isInForce(uri));
    if (records.length === 0) return;
    const outcome: HealingOutcome = { changed: 0, same: 0, uncompared: [], uncertain: [] };
    const late: Promise<void>[] = [];
    await forEachLimited(records, readsAtOnce, clock, async (record) => {
      const comparison = this.#heal(record, session, outcome);
      if (!(await this.#hanging.ends(comparison))) late.push(comparison);
    });
    this.#report(outcome, session);
    if (late.length === 0) return;
    onlyLate();
    await Promise.all(late);
    this.#report(outcome, session);
  }

  async #heal(record: ResourceRecord, { isCurrent }: HealingSession, outcome: HealingOutcome): Promise<void> {
    const { doubts } = this.#deps;
    const { doubt } = record;
    // A later run may have compared it while this one was busy with others.
    if (doubt === 0 || !isCurrent()) return;
    const found = await this.#read(record);
    // An earlier run may have settled the same doubt while this one waited for a slow read.
    if (record.doubt === 0 || !isCurrent()) return;
    this.#compare(record, found, outcome);
    if (record.isUncertain) outcome.uncertain.push(record);
    record.isFresh = false;
    doubts.settle(record, doubt);
  }

  /** Reports the outcome so far, and empties it. */
  #report(outcome: HealingOutcome, { isCurrent }: HealingSession): void {
    if (!isCurrent()) return;
    const { listeners, serverId: server, telemetry } = this.#deps;
    telemetry.healed.inc({ server, outcome: 'changed' }, outcome.changed);
    telemetry.healed.inc({ server, outcome: 'same' }, outcome.same);
    [outcome.changed, outcome.same] = [0, 0];
    listeners.tellUncompared(outcome.uncompared.splice(0), outcome.uncertain.splice(0));
  }

  /** Reads and hashes a polled resource whatever its size, because polls compare it, too. */
  async #read(record: ResourceRecord): Promise<CheckedContent | undefined> {
    const { reads, server } = this.#deps;
    const isPolled = !server.isSubscribed(record.uri);
    if (!isPolled && !reads.isWorthReading(record)) return undefined;
    const found = await reads.now(record);
    const isStillPolled = !server.isSubscribed(record.uri);
    return found && isStillPolled ? { ...found, hash: found.print() } : found;
  }

  #compare(record: ResourceRecord, found: CheckedContent | undefined, outcome: HealingOutcome): void {
    const { listeners } = this.#deps;
    const hash = found?.hash;
    if (found?.isCurrent === false) {
      listeners.overtaken(record);
    } else if (hash === undefined || listeners.isUnknown(record)) {
      if (!record.isFresh) outcome.uncompared.push({ record, hash, version: record.version });
      // The journal has never reported this resource.
      else if (record.mayHaveBeenRead) listeners.tellWatchers(record, hash);
    } else if (listeners.compare(record, hash)) {
      outcome.changed += 1;
    } else {
      outcome.same += 1;
    }
  }
}
