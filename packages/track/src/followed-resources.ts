// What is followed of one server, between the wire and the journal: every update passes through here in
// the same order (mirror, watchers, window, journal), whether it was told, polled or found after a gap.
// What counts is what listeners were told, not what was seen: SPEC.md has the invariants.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import type { Recorder } from './journal/recorder.ts';
import { type Update, UpdateWindows } from './journal/update-window.ts';
import { BackgroundLooks } from './mirror/background-looks.ts';
import { absent } from './mirror/fingerprint.ts';
import { type Healed, heal } from './mirror/healing.ts';
import { LaterLooks } from './mirror/later-looks.ts';
import { type Look, Mirror } from './mirror/mirror.ts';
import type { RememberedResource, ResourceRecord } from './mirror/resource-record.ts';
import { Settling } from './mirror/settling.ts';
import type { Snapshot, Snapshots } from './mirror/snapshots.ts';
import type { TrackerSettings } from './settings.ts';
import type { Telemetry } from './telemetry.ts';

/** A read may overtake the notification of what it found by this much: servers collect, and networks delay. */
const overtakingMs = 100;
/** Notifications have to be heard from so long after a confirmation before it is taken for certain. */
const settlingMs = 250;

export interface FollowedOptions {
  serverId: string;
  clock: Clock;
  settings: TrackerSettings;
  telemetry: Telemetry;
  snapshots: Snapshots;
  /** What was told until the tracker last ended. */
  remembered: ReadonlyMap<string, RememberedResource>;
  recorder: Recorder;
  fetch(this: void, uri: string): Promise<ReadResourceResult>;
  /** Whether the server has agreed to tell of it, and can. */
  isSubscribed(this: void, uri: string): boolean;
  /** Until when notifications are known to have arrived. */
  heardAt(this: void): number;
  /** The size the server's list gives, if it does. */
  sizeOf(this: void, uri: string): number | undefined;
  tellWatchers(this: void, uri: string): void;
  /** It was gone and is there again: the server may have forgotten that it is subscribed to. */
  reappeared(this: void, uri: string): void;
}

export class FollowedResources {
  readonly #options: FollowedOptions;
  readonly #mirror: Mirror;
  readonly #windows: UpdateWindows;
  readonly #looks: BackgroundLooks;
  readonly #laterLooks: LaterLooks;
  readonly #settling: Settling;
  /** Those that may have changed unheard, and have to be compared. */
  readonly #doubted = new Set<ResourceRecord>();
  #doubts = 0;
  #isTracked = false;

  constructor(options: FollowedOptions) {
    const { clock, settings, serverId: server, remembered } = options;
    this.#options = options;
    this.#mirror = new Mirror(
      {
        serverId: server,
        snapshots: options.snapshots,
        clock,
        maxBytes: settings.maxContentBytes,
        fetch: options.fetch,
        isWatched: options.isSubscribed,
        served: (record, hash, isCurrent) => this.#served(record, hash, isCurrent),
      },
      remembered,
    );
    this.#windows = new UpdateWindows({
      clock,
      windowMs: settings.windowMs,
      lastRead: (uri) => this.#lastRead(uri),
      lookAgain: (uri) => this.#hashNow(uri),
      announce: (uri, update) => this.#announce(uri, update),
      withheld: (uri, hash) => this.#withheld(uri, hash),
    });
    this.#looks = new BackgroundLooks((uri) => this.#lookAt(uri), clock);
    this.#laterLooks = new LaterLooks((uri) => this.#isOtherNow(uri), clock);
    this.#settling = new Settling({ clock, heardAt: options.heardAt, settled: (record) => this.#record(record) });
    for (const record of this.#mirror.records) this.#doubt(record);
  }

  /** The URIs that are followed. */
  get uris(): Iterable<string> {
    return this.#mirror.uris;
  }

  has(uri: string): boolean {
    return this.#mirror.get(uri) !== undefined;
  }

  get hashed(): number {
    return this.#mirror.hashed;
  }

  /** Whether all that the server lists is followed and goes into the journal; watchers are told in any case. */
  get isTracked(): boolean {
    return this.#isTracked;
  }

  /** What the journal owes it says now; what it will not hear of from here on, its readers do not know. */
  set isTracked(isTracked: boolean) {
    if (this.#isTracked && !isTracked) {
      this.flush();
      for (const record of this.#mirror.records) {
        record.journal.lose();
        this.#record(record);
      }
    }
    this.#isTracked = isTracked;
  }

  /** The server says so. */
  updated(uri: string): void {
    const record = this.#mirror.get(uri);
    if (record) this.#notified(record);
  }

  read(uri: string): Promise<ReadResourceResult> {
    return this.#mirror.read(uri);
  }

  snapshot(uri: string): Snapshot | undefined {
    return this.#mirror.snapshot(uri);
  }

  /** Begins to follow; updates count from now on. */
  follow(uri: string): void {
    if (!this.has(uri)) this.#follow(uri);
  }

  /** Ends to follow. The archive keeps what was told, until the journal says that it is gone. */
  forget(uri: string): void {
    const record = this.#mirror.get(uri);
    if (record === undefined) return;
    this.#mirror.forget(record);
    this.#windows.forget(uri);
    this.#laterLooks.forget(uri);
    this.#doubted.delete(record);
  }

  /** The journal has said what is listed, and what is no more: that has no place in the archive, unless it is watched. */
  listed(uris: Iterable<string>, removed: Iterable<string>): void {
    for (const uri of uris) this.#list(uri, true);
    for (const uri of removed) {
      if (this.has(uri)) this.#list(uri, false);
      else this.#options.recorder.drop(uri);
    }
  }

  /** It is listed no more, and is followed nevertheless: for those who watch it, that is an update. */
  vanished(uri: string): void {
    const record = this.#mirror.get(uri);
    // Where the server has said so itself, they know.
    if (record === undefined || (record.isAbsent && record.watchers.known === absent)) return;
    this.#mirror.invalidate(record);
    record.journal.lose();
    this.#tellWatchers(record);
    this.#looks.request(uri);
  }

  /** A watcher was answered before the server has agreed to tell: it is told once that is so. */
  owe(uri: string): void {
    const record = this.#mirror.get(uri) ?? this.#follow(uri);
    record.watchers.tell();
    this.#doubt(record);
  }

  /** It may have changed unheard. */
  doubt(uri: string): void {
    const record = this.#mirror.get(uri);
    if (record) this.#doubt(record);
  }

  /** All may have changed unheard. What was told stays, to compare with. */
  doubtAll(): void {
    this.#looks.clear();
    this.#laterLooks.clear();
    this.#mirror.doubtAll();
    for (const record of this.#mirror.records) this.#doubt(record);
  }

  /** The list was read again: what was not there may be. */
  doubtAbsent(): void {
    for (const record of this.#mirror.records) if (record.isAbsent) this.#doubt(record);
  }

  /** Looks at a resource nobody tells us about; resolves with how long the answer holds. */
  async poll(uri: string): Promise<number | undefined> {
    const record = this.#mirror.get(uri);
    if (record === undefined) return undefined;
    const found = await this.#look(record);
    if (found?.isCurrent) this.#compare(record, found.print());
    return found?.ttlMs;
  }

  /** Tracking was resumed, and all is in force: what changed meanwhile, the journal has not told. */
  resume(): void {
    this.#appendGap();
    for (const record of this.#mirror.records) {
      record.journal.reset();
      record.isUncertain = false;
      record.isFresh = true;
      this.#doubt(record);
      this.#record(record);
    }
  }

  /** Appends what the journal owes, without waiting for the ends of the windows. */
  flush(): void {
    this.#windows.flush();
  }

  /** Stops everything that is under way. */
  stop(): void {
    this.flush();
    this.#windows.clear();
    this.#looks.clear();
    this.#laterLooks.clear();
    this.#settling.clear();
  }

  /** Compares those in doubt that are `inForce` with what listeners were told. */
  async heal(isInForce: (uri: string) => boolean, isCurrent: () => boolean): Promise<void> {
    const { clock, settings, telemetry, serverId: server } = this.#options;
    const records = [...this.#doubted].filter(({ uri }) => isInForce(uri));
    if (records.length === 0) return;
    const uncertain: ResourceRecord[] = [];
    const outcome = await heal(records, {
      isCurrent,
      isWorthReading: (record) => this.#isPolled(record) || this.#isWorthReading(record),
      look: async (record) => {
        const found = await this.#look(record);
        return found && this.#isPolled(record) ? { ...found, hash: found.print() } : found;
      },
      isUnknown: ({ isFresh, journal }) => this.#isTracked && !isFresh && journal.known === undefined,
      compare: (record, hash) => this.#compare(record, hash),
      // Listeners were told of it, but for the journal where a window holds it back and might withhold it.
      overtaken: (record) => record.isPending && this.#owe(record, undefined),
      done: (record, doubt) => {
        if (record.isUncertain) uncertain.push(record);
        record.isFresh = false;
        if (record.doubt === doubt) this.#believe(record);
      },
      atOnce: settings.readsAtOnce,
      clock,
    });
    if (!isCurrent()) return;
    telemetry.healed.inc({ server, outcome: 'changed' }, outcome.changed);
    telemetry.healed.inc({ server, outcome: 'same' }, outcome.same);
    if (outcome.inDoubt.length + uncertain.length > 0) this.#tellInDoubt(outcome.inDoubt);
    for (const record of uncertain) {
      record.isUncertain = false;
      this.#record(record);
    }
  }

  /** Watchers are told of each; the journal gets one line. */
  #tellInDoubt(inDoubt: Healed['inDoubt']): void {
    if (this.#isTracked) this.#appendGap();
    for (const { record, hash, version } of inDoubt) {
      const found = record.version === version ? hash : undefined;
      if (found === undefined || !record.watchers.mayHold(found)) this.#tellWatchers(record, found);
      if (!this.#isTracked) continue;
      record.journal.tell(found);
      this.#record(record);
    }
  }

  #appendGap(): void {
    const { recorder, telemetry, serverId } = this.#options;
    telemetry.gaps.inc({ server: serverId });
    recorder.append({ type: 'gap', serverId });
  }

  #follow(uri: string): ResourceRecord {
    const record = this.#mirror.follow(uri);
    this.#doubt(record);
    return record;
  }

  #doubt(record: ResourceRecord): void {
    this.#doubts += 1;
    record.doubt = this.#doubts;
    this.#doubted.add(record);
    this.#settling.lose(record);
    this.#record(record);
  }

  #believe(record: ResourceRecord): void {
    record.doubt = 0;
    this.#doubted.delete(record);
  }

  #list(uri: string, isListed: boolean): void {
    const record = this.#mirror.get(uri);
    if (record === undefined) return;
    record.isListed = isListed;
    this.#record(record);
  }

  #notified(record: ResourceRecord): void {
    const { telemetry, serverId, clock } = this.#options;
    telemetry.received.inc({ server: serverId });
    this.#mirror.invalidate(record);
    this.#tellWatchers(record);
    if (!this.#isTracked) return;
    const isAnnounced = this.#windows.notified(record.uri, clock.now());
    if (isAnnounced && this.#isWorthReading(record)) this.#looks.request(record.uri);
    if (!isAnnounced) this.#merge(record);
  }

  /** The journal's event waits for the end of the window. */
  #merge(record: ResourceRecord): void {
    this.#options.telemetry.merged.inc({ server: this.#options.serverId });
    record.isPending = true;
    this.#record(record);
  }

  /** With a hash, it was found just before. */
  #tellWatchers(record: ResourceRecord, hash?: string): void {
    record.watchers.tell(hash);
    this.#options.tellWatchers(record.uri);
  }

  #announce(uri: string, { receivedAt, isTrailing, hash }: Update): void {
    const { recorder, clock, serverId, telemetry } = this.#options;
    const record = this.#mirror.get(uri);
    recorder.append({ type: 'resource_update', serverId, resourceUri: uri });
    const edge = isTrailing ? 'trailing' : 'leading';
    telemetry.announced.observe({ server: serverId, edge }, (clock.now() - receivedAt) / 1000);
    if (record === undefined) return;
    record.isPending = false;
    record.settlesAt = undefined;
    record.journal.tell(hash);
    this.#record(record);
    if (isTrailing && hash === undefined && this.#isWorthReading(record)) this.#looks.request(uri);
  }

  #withheld(uri: string, hash: string): void {
    const { telemetry, serverId } = this.#options;
    telemetry.withheld.inc({ server: serverId });
    const record = this.#mirror.get(uri);
    if (record === undefined) return;
    record.isPending = false;
    if (this.#isInForce(record)) this.#confirm(record, hash);
    this.#record(record);
  }

  /** A client was given this; it tells nobody else, but what others hold is not certain any more if it differs. */
  #served(record: ResourceRecord, hash: string | undefined, isCurrent: boolean): void {
    this.#windows.served(record.uri, hash);
    record.watchers.served(hash);
    record.journal.served(hash);
    if (isCurrent && hash !== undefined) this.#found(record, hash);
    this.#record(record);
  }

  /** A read that nothing has overtaken returned this. */
  #found(record: ResourceRecord, hash: string): void {
    const { seenBefore } = record;
    record.seenBefore = undefined;
    if (hash === seenBefore) this.#laterLooks.request(record.uri);
    if (hash === absent) record.isAbsent = true;
    else if (record.isAbsent) {
      record.isAbsent = false;
      this.#doubt(record);
      this.#options.reappeared(record.uri);
    }
    if (this.#isInForce(record)) this.#confirm(record, hash);
  }

  #confirm(record: ResourceRecord, hash: string): void {
    record.watchers.confirm(hash);
    // What the journal has not told yet, a read cannot confirm.
    if (record.isPending || !this.#isTracked || !record.journal.confirm(hash)) return;
    this.#settling.add(record, this.#options.clock.now() + settlingMs);
  }

  /** Whether every change since the last telling would have been heard of. */
  #isInForce(record: ResourceRecord): boolean {
    return record.doubt === 0 && this.#options.isSubscribed(record.uri);
  }

  /** Tells those listeners who do not hold this; says whether there were any. */
  #compare(record: ResourceRecord, hash: string): boolean {
    const { watchers, journal } = record;
    const watchersHold = watchers.mayHold(hash);
    if (watchersHold) watchers.confirm(hash);
    else this.#tellWatchers(record, hash);
    if (!this.#isTracked) return !watchersHold;
    const journalHolds = journal.mayHold(hash) && (record.isFresh || journal.known !== undefined);
    if (!journalHolds) this.#owe(record, hash);
    else if (!record.isPending && journal.confirm(hash) && !this.#isPolled(record)) {
      this.#settling.add(record, this.#options.clock.now());
    }
    this.#record(record);
    return !watchersHold || !journalHolds;
  }

  /** An event is due that is no repetition, whatever the window finds. */
  #owe(record: ResourceRecord, hash: string | undefined): void {
    if (!this.#windows.found(record.uri, this.#options.clock.now(), hash)) this.#merge(record);
  }

  /** Has the archive keep what the journal has told, where that is not what it has. */
  #record(record: ResourceRecord): void {
    if (!this.#isTracked) return;
    const { uri, durable: known, isListed, archived } = record;
    if (archived !== 'nothing' && archived.known === known && archived.isListed === isListed) return;
    // A resource that nothing was told of yet has no place in the archive.
    if (archived === 'nothing' && !isListed && known === undefined) return;
    record.archived = { known, isListed };
    this.#options.recorder.told(uri, record.archived);
  }

  #lastRead(uri: string): string | undefined {
    const last = this.#mirror.get(uri)?.lastRead;
    // A read that has just been completed may have found what this notification is about.
    return last && this.#options.clock.now() - last.since >= overtakingMs ? last.hash : undefined;
  }

  async #hashNow(uri: string): Promise<string | undefined> {
    const record = this.#mirror.get(uri);
    if (record === undefined || !this.#isWorthReading(record)) return undefined;
    const found = await this.#look(record);
    return found?.isCurrent && found.hash !== absent ? found.hash : undefined;
  }

  async #lookAt(uri: string): Promise<void> {
    const record = this.#mirror.get(uri);
    if (record) await this.#look(record);
  }

  async #isOtherNow(uri: string): Promise<boolean> {
    const record = this.#mirror.get(uri);
    if (record === undefined) return true;
    const found = await this.#look(record);
    return found?.isCurrent === true && found.hash !== undefined && this.#compare(record, found.hash);
  }

  /** Nothing, where it could not be read. */
  async #look(record: ResourceRecord): Promise<Look | undefined> {
    try {
      const found = await this.#mirror.look(record.uri);
      record.isTooLarge = found.hash === undefined;
      if (found.isCurrent && found.hash !== undefined) this.#found(record, found.hash);
      this.#record(record);
      return found;
    } catch (error) {
      if (isTooLarge(error)) record.isTooLarge = true;
      return undefined;
    }
  }

  /** Such are read all the same, however large they are. */
  #isPolled({ uri }: ResourceRecord): boolean {
    return !this.#options.isSubscribed(uri);
  }

  #isWorthReading({ uri, isTooLarge }: ResourceRecord): boolean {
    const { settings, sizeOf } = this.#options;
    return !isTooLarge && (sizeOf(uri) ?? 0) <= settings.maxContentBytes;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'RESPONSE_TOO_LARGE';
}
