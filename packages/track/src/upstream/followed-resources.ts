// What is followed of one server, between the wire and those who are told: every update passes through here
// in the same order (mirror, watchers, window, journal), whether it was told, polled or found after a gap.
// What counts is what listeners were told, not what was seen: SPEC.md has the invariants.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { Listeners, type ListenersOptions } from './listeners.ts';
import { BackgroundLooks } from '../mirror/background-looks.ts';
import { absent } from '../mirror/fingerprint.ts';
import { heal } from '../mirror/healing.ts';
import { LaterLooks } from '../mirror/later-looks.ts';
import { type Look, Mirror } from '../mirror/mirror.ts';
import type { RememberedResource, ResourceRecord } from '../mirror/resource-record.ts';
import type { Snapshot, Snapshots } from '../mirror/snapshots.ts';

export interface FollowedOptions extends Omit<ListenersOptions, 'record' | 'lookNow' | 'lookSoon'> {
  snapshots: Snapshots;
  /** What was told until the tracker last ended. */
  remembered: ReadonlyMap<string, RememberedResource>;
  fetch(this: void, uri: string): Promise<ReadResourceResult>;
  /** The size the server's list gives, if it does. */
  sizeOf(this: void, uri: string): number | undefined;
  /** It was gone and is there again: the server may have forgotten that it is subscribed to. */
  reappeared(this: void, uri: string): void;
}

export class FollowedResources {
  readonly #options: FollowedOptions;
  readonly #mirror: Mirror;
  readonly #listeners: Listeners;
  readonly #looks: BackgroundLooks;
  readonly #laterLooks: LaterLooks;
  /** Those that may have changed unheard, and have to be compared. */
  readonly #doubted = new Set<ResourceRecord>();
  #doubts = 0;

  constructor(options: FollowedOptions) {
    const { clock, settings, serverId, snapshots, remembered } = options;
    this.#options = options;
    this.#mirror = new Mirror(
      {
        serverId,
        snapshots,
        clock,
        maxBytes: settings.maxContentBytes,
        fetch: options.fetch,
        isWatched: options.isSubscribed,
        served: (record, hash, isCurrent) => {
          this.#listeners.served(record, hash);
          if (isCurrent && hash !== undefined) this.#found(record, hash);
          this.#listeners.archive(record);
        },
      },
      remembered,
    );
    this.#listeners = new Listeners({
      ...options,
      record: (uri) => this.#mirror.get(uri),
      lookNow: (record) => this.#hashNow(record),
      lookSoon: (record) => {
        if (this.#isWorthReading(record)) this.#looks.request(record.uri);
      },
    });
    this.#looks = new BackgroundLooks(async (uri) => {
      const record = this.#mirror.get(uri);
      if (record) await this.#look(record);
    }, clock);
    this.#laterLooks = new LaterLooks((uri) => this.#isOtherNow(uri), clock);
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
    return this.#listeners.isTracked;
  }

  set isTracked(isTracked: boolean) {
    if (isTracked) this.#listeners.isTracked = true;
    else this.#listeners.suspend(this.#mirror.records);
  }

  /** The server says so. */
  updated(uri: string): void {
    const record = this.#mirror.get(uri);
    if (record === undefined) return;
    this.#options.telemetry.received.inc({ server: this.#options.serverId });
    this.#mirror.invalidate(record);
    this.#listeners.notify(record);
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
    this.#listeners.forget(record);
    this.#laterLooks.forget(uri);
    this.#doubted.delete(record);
  }

  /** The journal has said what is listed, and what is no more: the archive drops that, unless it is watched. */
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
    this.#listeners.tellWatchers(record);
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
    if (found?.isCurrent) this.#listeners.compare(record, found.print());
    return found?.ttlMs;
  }

  /** Tracking was resumed, and all is in force: what changed meanwhile, the journal has not told. */
  resume(): void {
    this.#listeners.resume(this.#mirror.records);
    for (const record of this.#mirror.records) this.#doubt(record);
  }

  /** Stops everything that is under way. */
  stop(): void {
    this.#listeners.stop();
    this.#looks.clear();
    this.#laterLooks.clear();
  }

  /** Compares those in doubt that are in force with what listeners were told. */
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
      isUnknown: ({ isFresh, journal }) => this.isTracked && !isFresh && journal.known === undefined,
      compare: (record, hash) => this.#listeners.compare(record, hash),
      overtaken: (record) => this.#listeners.overtaken(record),
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
    this.#listeners.tellInDoubt(outcome.inDoubt, uncertain);
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
    this.#listeners.doubt(record);
  }

  #believe(record: ResourceRecord): void {
    record.doubt = 0;
    this.#doubted.delete(record);
  }

  #list(uri: string, isListed: boolean): void {
    const record = this.#mirror.get(uri);
    if (record === undefined) return;
    record.isListed = isListed;
    this.#listeners.archive(record);
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
    // Otherwise a change since the last telling may have gone unheard, and this may be it.
    if (record.doubt === 0 && this.#options.isSubscribed(record.uri)) this.#listeners.confirm(record, hash);
  }

  async #hashNow(record: ResourceRecord): Promise<string | undefined> {
    const found = this.#isWorthReading(record) ? await this.#look(record) : undefined;
    return found?.isCurrent && found.hash !== absent ? found.hash : undefined;
  }

  async #isOtherNow(uri: string): Promise<boolean> {
    const record = this.#mirror.get(uri);
    if (record === undefined) return true;
    const found = await this.#look(record);
    return found?.isCurrent === true && found.hash !== undefined && this.#listeners.compare(record, found.hash);
  }

  /** Nothing, where it could not be read. */
  async #look(record: ResourceRecord): Promise<Look | undefined> {
    try {
      const found = await this.#mirror.look(record.uri);
      if (this.#mirror.get(record.uri) !== record) return undefined;
      record.isTooLarge = found.hash === undefined;
      if (found.isCurrent && found.hash !== undefined) this.#found(record, found.hash);
      this.#listeners.archive(record);
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

  #isWorthReading({ uri, isTooLarge: wasTooLarge }: ResourceRecord): boolean {
    const { settings, sizeOf } = this.#options;
    return !wasTooLarge && (sizeOf(uri) ?? 0) <= settings.maxContentBytes;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'RESPONSE_TOO_LARGE';
}
