// What is followed of one server, between the wire and the journal: every update passes through here in
// the same order (mirror, watchers, window, journal), whether it was told, polled or found after a gap.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import type { UndatedEvent } from './journal/event.ts';
import { type Update, UpdateWindows } from './journal/update-window.ts';
import { BackgroundLooks } from './mirror/background-looks.ts';
import { absent } from './mirror/fingerprint.ts';
import { heal } from './mirror/healing.ts';
import { type Known, type Look, Mirror } from './mirror/mirror.ts';
import type { Snapshot, Snapshots } from './mirror/snapshots.ts';
import type { TrackerSettings } from './settings.ts';
import type { Telemetry } from './telemetry.ts';

export interface FollowedOptions {
  serverId: string;
  clock: Clock;
  settings: TrackerSettings;
  telemetry: Telemetry;
  snapshots: Snapshots;
  /** What was known when the tracker last ran. */
  remembered: ReadonlyMap<string, Known>;
  fetch(this: void, uri: string): Promise<ReadResourceResult>;
  isWatched(this: void, uri: string): boolean;
  /** The size the server's list gives, if it does. */
  sizeOf(this: void, uri: string): number | undefined;
  tellWatchers(this: void, uri: string): void;
  append(this: void, event: UndatedEvent): void;
  remember(this: void, uri: string, known: Known): void;
  drop(this: void, uri: string): void;
}

export class FollowedResources {
  readonly #options: FollowedOptions;
  readonly #mirror: Mirror;
  readonly #windows: UpdateWindows;
  readonly #looks: BackgroundLooks;
  readonly #tooLarge = new Set<string>();
  /** The hash of what is too large to be known, where it is polled and so read all the same. */
  readonly #prints = new Map<string, string>();
  /** Whether all that the server lists is followed and goes into the journal; watchers are told in any case. */
  isTracked = false;

  constructor(options: FollowedOptions) {
    const { clock, settings, telemetry, serverId: server } = options;
    this.#options = options;
    this.#mirror = new Mirror(
      {
        serverId: server,
        snapshots: options.snapshots,
        clock,
        maxBytes: settings.maxContentBytes,
        fetch: options.fetch,
        isWatched: options.isWatched,
        served: (uri, hash) => this.#windows.served(uri, hash),
        learned: options.remember,
      },
      options.remembered,
    );
    this.#windows = new UpdateWindows({
      clock,
      windowMs: settings.windowMs,
      lastRead: (uri) => this.#mirror.lastRead(uri),
      lookAgain: (uri) => this.#hashNow(uri),
      announce: (uri, update) => this.#announce(uri, update),
      withheld: () => telemetry.withheld.inc({ server }),
    });
    this.#looks = new BackgroundLooks((uri) => this.#look(uri), clock);
  }

  /** The URIs that are followed. */
  get uris(): ReadonlySet<string> {
    return this.#mirror.uris;
  }

  get hashed(): number {
    return this.#mirror.hashed;
  }

  /** The server says so. */
  updated(uri: string): void {
    if (!this.#mirror.remembers(uri)) return;
    this.#options.telemetry.received.inc({ server: this.#options.serverId });
    this.#mirror.invalidate(uri);
    if (this.#tell(uri) && this.#isWorthReading(uri)) this.#looks.request(uri);
  }

  read(uri: string): Promise<ReadResourceResult> {
    return this.#mirror.read(uri);
  }

  snapshot(uri: string): Snapshot | undefined {
    return this.#mirror.snapshot(uri);
  }

  forget(uri: string): void {
    this.#mirror.forget(uri);
    this.#windows.forget(uri);
    this.#tooLarge.delete(uri);
    this.#prints.delete(uri);
    this.#options.drop(uri);
  }

  /** Looks at a resource nobody tells us about; resolves with how long the answer holds. */
  async poll(uri: string): Promise<number | undefined> {
    const found = await this.#look(uri);
    if (found?.isCurrent && this.#isOther(uri, found)) this.#tell(uri);
    return found?.ttlMs;
  }

  #isOther(uri: string, { before = this.#prints.get(uri), hash, print }: Look): boolean {
    const now = print();
    if (hash === undefined) this.#prints.set(uri, now);
    else this.#prints.delete(uri);
    return before !== undefined && before !== now;
  }

  /** Nothing can be told while there is no connection. */
  pause(): void {
    this.#looks.clear();
    this.#mirror.doubtAll();
  }

  /** Stops everything that is under way for the journal. */
  clearWindows(): void {
    this.#windows.clear();
  }

  /** Updates of these count from now on. Says which were not followed before. */
  follow(uris: ReadonlySet<string>): Set<string> {
    const fresh = new Set([...uris].filter((uri) => !this.#mirror.remembers(uri)));
    for (const uri of fresh) this.#mirror.follow(uri);
    return fresh;
  }

  /**
   * Compares these with what was known; of those that are `fresh` there may be nothing to compare with.
   * `isCurrent` says whether the connection is still the one this began with; another one begins again.
   */
  async heal(uris: readonly string[], fresh: ReadonlySet<string>, isCurrent: () => boolean): Promise<void> {
    const { clock, settings, telemetry, serverId: server } = this.#options;
    const outcome = await heal(uris, {
      known: (uri) => this.#mirror.known(uri),
      wasFollowed: (uri) => !fresh.has(uri) || this.#mirror.known(uri) !== undefined,
      isWorthReading: (uri) => isCurrent() && this.#isWorthReading(uri),
      look: async (uri) => {
        const found = await this.#look(uri);
        if (found === undefined) throw new Error('It could not be read.');
        return found;
      },
      changed: (uri) => {
        if (isCurrent()) this.#tell(uri);
      },
      atOnce: settings.readsAtOnce,
      clock,
    });
    if (!isCurrent()) return;
    telemetry.healed.inc({ server, outcome: 'changed' }, outcome.changed);
    telemetry.healed.inc({ server, outcome: 'same' }, outcome.same);
    if (outcome.inDoubt.length > 0) this.#doubt(outcome.inDoubt);
  }

  /** Watchers are told of each; the journal gets one line. */
  #doubt(uris: readonly string[]): void {
    const { append, telemetry, serverId, tellWatchers } = this.#options;
    for (const uri of uris) tellWatchers(uri);
    if (!this.isTracked) return;
    telemetry.gaps.inc({ server: serverId });
    append({ type: 'gap', serverId });
  }

  /** Says whether it was announced at once. */
  #tell(uri: string): boolean {
    const { clock, tellWatchers, telemetry, serverId } = this.#options;
    const receivedAt = clock.now();
    tellWatchers(uri);
    if (!this.isTracked) return false;
    const isAnnounced = this.#windows.notified(uri, receivedAt);
    if (!isAnnounced) telemetry.merged.inc({ server: serverId });
    return isAnnounced;
  }

  #announce(uri: string, { receivedAt, isTrailing }: Update): void {
    const { append, clock, serverId, telemetry } = this.#options;
    append({ type: 'resource_update', serverId, resourceUri: uri });
    const edge = isTrailing ? 'trailing' : 'leading';
    telemetry.announced.observe({ server: serverId, edge }, (clock.now() - receivedAt) / 1000);
  }

  async #hashNow(uri: string): Promise<string | undefined> {
    if (!this.#isWorthReading(uri)) return undefined;
    const found = await this.#look(uri);
    return found?.isCurrent && found.hash !== absent ? found.hash : undefined;
  }

  /** Nothing, where it could not be read. */
  async #look(uri: string) {
    try {
      const found = await this.#mirror.look(uri);
      if (found.hash === undefined) this.#tooLarge.add(uri);
      else this.#tooLarge.delete(uri);
      return found;
    } catch (error) {
      if (isTooLarge(error)) this.#tooLarge.add(uri);
      return undefined;
    }
  }

  #isWorthReading(uri: string): boolean {
    const { settings, sizeOf } = this.#options;
    return !this.#tooLarge.has(uri) && (sizeOf(uri) ?? 0) <= settings.maxContentBytes;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'RESPONSE_TOO_LARGE';
}
