// Who is told of one server's resources: watchers at once, the journal through its windows. Keeps in each
// record what either holds, and has the archive keep what the journal has told.
import type { Clock } from '@tidings/live';
import type { Recorder } from '../journal/recorder.ts';
import { type DueUpdate, UpdateWindows } from '../journal/update-window.ts';
import type { Healed } from '../mirror/healing.ts';
import type { ResourceRecord } from '../mirror/resource-record.ts';
import { Settling } from '../mirror/settling.ts';
import type { TrackerSettings } from '../settings.ts';
import type { Telemetry } from '../telemetry.ts';

/** A read may overtake the notification of what it found by this much: servers collect, and networks delay. */
const overtakingMs = 100;
/** Notifications have to be heard from so long after a confirmation before it is taken for certain. */
const settlingMs = 250;

export interface ListenersOptions {
  serverId: string;
  clock: Clock;
  settings: TrackerSettings;
  telemetry: Telemetry;
  recorder: Recorder;
  tellWatchers(this: void, uri: string): void;
  /** Until when notifications are known to have arrived. */
  heardAt(this: void): number;
  record(this: void, uri: string): ResourceRecord | undefined;
  /** Whether the server has agreed to tell of it, and can. */
  isSubscribed(this: void, uri: string): boolean;
  /** Reads it again; nothing where it could not be read, or changed meanwhile. Never rejects. */
  lookNow(this: void, record: ResourceRecord): Promise<string | undefined>;
  /** Has it read again before long. */
  lookSoon(this: void, record: ResourceRecord): void;
}

export class Listeners {
  readonly #options: ListenersOptions;
  readonly #windows: UpdateWindows;
  readonly #settling: Settling;
  /** Whether the journal is told; watchers are in any case. */
  isTracked = false;

  constructor(options: ListenersOptions) {
    const { clock, settings, record } = options;
    this.#options = options;
    this.#windows = new UpdateWindows({
      clock,
      windowMs: settings.windowMs,
      lastRead: (uri) => this.#lastRead(uri),
      lookAgain: async (uri) => {
        const found = record(uri);
        return found && options.lookNow(found);
      },
      announce: (uri, update) => this.#announce(uri, update),
      withheld: (uri, hash) => this.#withheld(uri, hash),
    });
    this.#settling = new Settling({ clock, heardAt: options.heardAt, settled: (each) => this.archive(each) });
  }

  /** The server has said that it changed. */
  notify(record: ResourceRecord): void {
    this.tellWatchers(record);
    if (!this.isTracked) return;
    if (this.#windows.notified(record.uri, this.#options.clock.now())) this.#options.lookSoon(record);
    else this.#merge(record);
  }

  /** With a hash, it was found just before. */
  tellWatchers(record: ResourceRecord, hash?: string): void {
    record.watchers.tell(hash);
    this.#options.tellWatchers(record.uri);
  }

  /** Tells those who do not hold this; says whether there were any. */
  compare(record: ResourceRecord, hash: string): boolean {
    const { clock, isSubscribed } = this.#options;
    const { watchers, journal } = record;
    const watchersHold = watchers.mayHold(hash);
    if (watchersHold) watchers.confirm(hash);
    else this.tellWatchers(record, hash);
    if (!this.isTracked) return !watchersHold;
    const journalHolds = journal.mayHold(hash) && (record.isFresh || journal.known !== undefined);
    if (!journalHolds) this.#owe(record, hash);
    else if (!record.isPending && journal.confirm(hash) && isSubscribed(record.uri)) {
      this.#settling.add(record, clock.now());
    }
    this.archive(record);
    return !watchersHold || !journalHolds;
  }

  /** A client was given this: tells nobody, but what others hold is not certain any more if it differs. */
  served(record: ResourceRecord, hash: string | undefined): void {
    this.#windows.served(record.uri, hash);
    record.watchers.served(hash);
    record.journal.served(hash);
  }

  /** It was found to be this, and every change since they were told would have been heard of. */
  confirm(record: ResourceRecord, hash: string): void {
    record.watchers.confirm(hash);
    // What the journal has not told yet, a read cannot confirm.
    if (record.isPending || !this.isTracked || !record.journal.confirm(hash)) return;
    this.#settling.add(record, this.#options.clock.now() + settlingMs);
  }

  /** It may have changed unheard: what has not settled is not known. */
  doubt(record: ResourceRecord): void {
    this.#settling.lose(record);
    this.archive(record);
  }

  /** A notification came while it was being compared. A window that holds it back must not withhold it. */
  overtaken(record: ResourceRecord): void {
    if (record.isPending) this.#owe(record, undefined);
  }

  /** These cannot be compared: watchers are told of each; the journal gets one line for them and the uncertain ones. */
  tellInDoubt(inDoubt: Healed['inDoubt'], uncertain: readonly ResourceRecord[]): void {
    if (this.isTracked && inDoubt.length + uncertain.length > 0) this.#appendGap();
    for (const { record, hash, version } of inDoubt) {
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

  /** The journal tells again, after a time when it did not; from here on all these are as if they were new. */
  resume(records: Iterable<ResourceRecord>): void {
    this.#appendGap();
    for (const record of records) {
      record.journal.reset();
      record.isUncertain = false;
      record.isFresh = true;
      this.archive(record);
    }
  }

  /** The journal tells no more: what it owes it says now, and what its readers will hold is not known. */
  suspend(records: Iterable<ResourceRecord>): void {
    this.#windows.flush();
    for (const record of records) {
      record.journal.lose();
      this.archive(record);
    }
    this.isTracked = false;
  }

  /** Has the archive keep what the journal has told, where that is not what it has. */
  archive(record: ResourceRecord): void {
    if (!this.isTracked) return;
    const { uri, durable: known, isListed, archived } = record;
    if (archived !== 'nothing' && archived.known === known && archived.isListed === isListed) return;
    // A resource that nothing was told of yet has no place in the archive.
    if (archived === 'nothing' && !isListed && known === undefined) return;
    record.archived = { known, isListed };
    this.#options.recorder.told(uri, record.archived);
  }

  forget(record: ResourceRecord): void {
    this.#windows.forget(record.uri);
    this.#settling.lose(record);
  }

  /** What the journal owes it says now. */
  stop(): void {
    this.#windows.flush();
    this.#settling.clear();
  }

  /** An event is due that is no repetition, whatever the window finds. */
  #owe(record: ResourceRecord, hash: string | undefined): void {
    if (!this.#windows.found(record.uri, this.#options.clock.now(), hash)) this.#merge(record);
  }

  /** The event waits for the end of the window. */
  #merge(record: ResourceRecord): void {
    this.#options.telemetry.merged.inc({ server: this.#options.serverId });
    record.isPending = true;
    this.archive(record);
  }

  #announce(uri: string, { receivedAt, isTrailing, hash }: DueUpdate): void {
    const { recorder, clock, serverId, telemetry, lookSoon } = this.#options;
    recorder.append({ type: 'resource_update', serverId, resourceUri: uri });
    const edge = isTrailing ? 'trailing' : 'leading';
    telemetry.announced.observe({ server: serverId, edge }, (clock.now() - receivedAt) / 1000);
    const record = this.#options.record(uri);
    if (record === undefined) return;
    record.isPending = false;
    record.isUncertain = false;
    record.settlesAt = undefined;
    record.journal.tell(hash);
    this.archive(record);
    if (isTrailing && hash === undefined) lookSoon(record);
  }

  #withheld(uri: string, hash: string): void {
    const { telemetry, serverId, isSubscribed } = this.#options;
    telemetry.withheld.inc({ server: serverId });
    const record = this.#options.record(uri);
    if (record === undefined) return;
    record.isPending = false;
    if (record.doubt === 0 && isSubscribed(uri)) this.confirm(record, hash);
    this.archive(record);
  }

  #appendGap(): void {
    const { recorder, telemetry, serverId } = this.#options;
    telemetry.gaps.inc({ server: serverId });
    recorder.append({ type: 'gap', serverId });
  }

  #lastRead(uri: string): string | undefined {
    const last = this.#options.record(uri)?.lastRead;
    // A read that has just been completed may have found what this notification is about.
    return last && this.#options.clock.now() - last.since >= overtakingMs ? last.hash : undefined;
  }
}
