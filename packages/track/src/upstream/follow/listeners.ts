// Notifies the listeners of one server's resources: watchers at once, the journal through its windows. Each record has
// what either kind of listener was told; the archive stores what the journal's readers were told.
import type { Clock } from '@tidings/live';
import type { JournalRecorder } from '../../journal/journal-recorder.ts';
import { type DueUpdate, UpdateWindows } from '../../journal/update-window.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import type { ResourceRecord } from '../../mirror/resource-record.ts';
import type { ResourceServer } from '../../mirror/resource-server.ts';
import { PendingConfirmations } from '../../mirror/pending-confirmations.ts';
import type { Telemetry } from '../../base/telemetry.ts';
import type { ResourceReads } from './resource-reads.ts';

/** A read may show a change this long before its notification arrives: servers batch, networks delay. */
const overtakingMs = 100;
/** A confirming read counts as certain after notifications have continued to arrive for this long. */
const settlingMs = 250;

/** The watchers of single resources. */
export interface WatcherPort {
  tell(uri: string): void;
}

interface ListenersDeps {
  serverId: string;
  clock: Clock;
  windowMs: number;
  telemetry: Telemetry;
  recorder: JournalRecorder;
  watchers: WatcherPort;
  server: Pick<ResourceServer, 'heardAt' | 'isSubscribed'>;
  mirror: Pick<Mirror, 'get' | 'records'>;
  reads: Pick<ResourceReads, 'hash' | 'soon'>;
}

/** A resource that could not be compared, with its hash if that is known. */
export interface Uncompared {
  record: ResourceRecord;
  hash: string | undefined;
  version: number;
}

export class Listeners {
  readonly #deps: ListenersDeps;
  readonly #windows: UpdateWindows;
  readonly #confirmations: PendingConfirmations;
  #isTracked = false;

  constructor(deps: ListenersDeps) {
    const { clock, reads, mirror, server, windowMs } = deps;
    this.#deps = deps;
    this.#windows = new UpdateWindows({
      clock,
      windowMs,
      lastRead: (uri) => this.#lastRead(uri),
      readAgain: async (uri) => {
        const record = mirror.get(uri);
        return record && reads.hash(record);
      },
      announce: (uri, update) => this.#announce(uri, update),
      withheld: (uri, hash) => this.#withheld(uri, hash),
    });
    this.#confirmations = new PendingConfirmations({
      clock,
      heardAt: () => server.heardAt(),
      settled: (record) => this.archive(record),
    });
  }

  /** Whether events go into the journal. Watchers are notified in any case. */
  get isTracked(): boolean {
    return this.#isTracked;
  }

  set isTracked(isTracked: boolean) {
    if (!isTracked) this.#suspend();
    this.#isTracked = isTracked;
  }

  /** The server has notified a change. */
  notify(record: ResourceRecord): void {
    this.tellWatchers(record);
    if (!this.isTracked) return;
    if (this.#windows.notified(record.uri, this.#deps.clock.now())) this.#deps.reads.soon(record);
    else this.#merge(record);
  }

  /** `hash`: of the content that was just read, if any. */
  tellWatchers(record: ResourceRecord, hash?: string): void {
    record.watchers.tell(hash);
    this.#deps.watchers.tell(record.uri);
  }

  /** Whether all listeners may hold this content, as far as is known. */
  hold({ watchers, journal }: ResourceRecord, hash: string): boolean {
    return watchers.mayHold(hash) && (!this.isTracked || journal.mayHold(hash));
  }

  /** Notifies the listeners that hold other content; returns whether there were any. */
  compare(record: ResourceRecord, hash: string): boolean {
    const { clock, server } = this.#deps;
    const { watchers, journal } = record;
    const isCurrentForWatchers = watchers.mayHold(hash);
    if (isCurrentForWatchers) watchers.confirm(hash);
    else this.tellWatchers(record, hash);
    if (!this.isTracked) return !isCurrentForWatchers;
    const isCurrentForJournal = journal.mayHold(hash) && (record.isFresh || journal.known !== undefined);
    if (!isCurrentForJournal) this.#makeDue(record, hash);
    else if (!record.isPending && journal.confirm(hash) && server.isSubscribed(record.uri)) {
      this.#confirmations.add(record, clock.now());
    }
    this.archive(record);
    return !isCurrentForWatchers || !isCurrentForJournal;
  }

  /**
   * Records that a client has read this content. No listener is notified; but if the content differs, it is no longer
   * certain what other listeners hold.
   */
  served(record: ResourceRecord, hash: string | undefined): void {
    this.#windows.served(record.uri, hash);
    record.watchers.served(hash);
    record.journal.served(hash);
  }

  /** Records that a read found this content, when any change since the last notification would have been notified. */
  confirm(record: ResourceRecord, hash: string): void {
    record.watchers.confirm(hash);
    // A read cannot confirm an event that the journal has not announced yet.
    if (record.isPending || !this.isTracked || !record.journal.confirm(hash)) return;
    this.#confirmations.add(record, this.#deps.clock.now() + settlingMs);
  }

  /**
   * Handles a resource that may have changed without a notification: contents that were not yet certain become unknown.
   */
  doubt(record: ResourceRecord): void {
    this.#confirmations.lose(record);
    this.archive(record);
  }

  /** Whether there is nothing to compare with, though the journal's readers may hold something. */
  isUnknown({ isFresh, journal }: ResourceRecord): boolean {
    return this.isTracked && !isFresh && journal.known === undefined;
  }

  /** Handles a notification during the comparison. If a window delays its event, that event must not be withheld. */
  overtaken(record: ResourceRecord): void {
    if (record.isPending) this.#makeDue(record, undefined);
  }

  /** Notifies watchers of each uncompared resource, and appends one gap event for all of them to the journal. */
  tellUncompared(uncompared: readonly Uncompared[], uncertain: readonly ResourceRecord[]): void {
    if (this.isTracked && uncompared.length + uncertain.length > 0) this.#appendGap();
    for (const { record, hash, version } of uncompared) {
      const found = record.version === version ? hash : undefined;
      if (found === undefined || !record.watchers.mayHold(found)) this.tellWatchers(record, found);
      if (this.isTracked) record.journal.tell(found);
      this.archive(record);
    }
    for (const record of uncertain) {
      record.isUncertain = false;
      this.archive(record);
    }
  }

  /**
   * Resumes tracking: appends a gap event to the journal; the resources count as new there, while watchers may hold
   * them.
   */
  resume(): void {
    this.#appendGap();
    for (const record of this.#deps.mirror.records) {
      record.journal.reset();
      record.isUncertain = false;
      record.isFresh = true;
      record.mayHaveBeenRead = true;
      this.archive(record);
    }
  }

  /** Stores in the archive what the journal has reported, if it differs from what is stored. */
  archive(record: ResourceRecord): void {
    if (!this.isTracked) return;
    const { uri, durable: known, isListed, archived } = record;
    if (archived !== 'nothing' && archived.known === known && archived.isListed === isListed) return;
    // A resource without any event gets no row.
    if (archived === 'nothing' && !isListed && known === undefined) return;
    record.archived = { known, isListed };
    this.#deps.recorder.reported(uri, record.archived);
  }

  forget(record: ResourceRecord): void {
    this.#windows.forget(record.uri);
    this.#confirmations.lose(record);
  }

  /** Announces pending events now. */
  stop(): void {
    this.#windows.flush();
    this.#confirmations.clear();
  }

  /** Announces pending events now; what the journal's readers hold is unknown from then on. */
  #suspend(): void {
    this.#windows.flush();
    for (const record of this.#deps.mirror.records) {
      record.journal.lose();
      this.archive(record);
    }
  }

  /** Makes an event due that the window must not withhold. */
  #makeDue(record: ResourceRecord, hash: string | undefined): void {
    if (!this.#windows.found(record.uri, this.#deps.clock.now(), hash)) this.#merge(record);
  }

  /** Merges the event with others until the end of the window. */
  #merge(record: ResourceRecord): void {
    this.#deps.telemetry.merged.inc({ server: this.#deps.serverId });
    record.isPending = true;
    this.archive(record);
  }

  #announce(uri: string, { receivedAt, isTrailing, hash }: DueUpdate): void {
    const { recorder, clock, serverId, telemetry, reads, mirror } = this.#deps;
    recorder.append({ type: 'resource_update', serverId, resourceUri: uri });
    const edge = isTrailing ? 'trailing' : 'leading';
    telemetry.announced.observe({ server: serverId, edge }, (clock.now() - receivedAt) / 1000);
    const record = mirror.get(uri);
    if (record === undefined) return;
    record.isPending = false;
    record.isUncertain = false;
    record.settlesAt = undefined;
    record.journal.tell(hash);
    this.archive(record);
    if (isTrailing && hash === undefined) reads.soon(record);
  }

  #withheld(uri: string, hash: string): void {
    const { telemetry, serverId, server, mirror } = this.#deps;
    telemetry.withheld.inc({ server: serverId });
    const record = mirror.get(uri);
    if (record === undefined) return;
    record.isPending = false;
    if (record.doubt === 0 && server.isSubscribed(uri)) this.confirm(record, hash);
    this.archive(record);
  }

  #appendGap(): void {
    const { recorder, telemetry, serverId } = this.#deps;
    telemetry.gaps.inc({ server: serverId });
    recorder.append({ type: 'gap', serverId });
  }

  #lastRead(uri: string): string | undefined {
    const last = this.#deps.mirror.get(uri)?.lastRead;
    // A read that was completed just now may have found the very change of this notification.
    return last && this.#deps.clock.now() - last.since >= overtakingMs ? last.hash : undefined;
  }
}
