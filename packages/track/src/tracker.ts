// The tracker: every configured server, one journal, one event stream. Composes the parts.
import { randomBytes } from 'node:crypto';
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { type Clock, LiveError, stderrLog, systemClock } from '@tidings/live';
import { configChange } from './config/config-change.ts';
import type { Config, ServerEntry } from './config/config.ts';
import { concealed, concealedLog } from './connection/concealed.ts';
import { concealer } from './connection/concealer.ts';
import { EraMemory } from './connection/era-memory.ts';
import { type Builtins, sessionOpener } from './connection/open-session.ts';
import { untilPortOpens } from './connection/http/server-return.ts';
import { Watchdog } from './connection/process/watchdog.ts';
import { type Agreement, type DefinitionMemory, KnownDefinitions } from './definition/known-definitions.ts';
import { Archive, type Remembered, nothingRemembered } from './journal/archive.ts';
import type { DefinitionArchive } from './journal/definition-archive.ts';
import { Journal } from './journal/journal.ts';
import { ServerRecorder } from './journal/server-recorder.ts';
import { type TrackerLog, logFor } from './base/log.ts';
import { Snapshots } from './mirror/snapshots.ts';
import type { ServerStatus } from '@tidings/client/contract';
import { type TrackerSettings, defaultSettings } from './settings.ts';
import { EventStream } from './stream/event-stream.ts';
import { Telemetry } from './telemetry.ts';
import { Upstream } from './upstream/upstream.ts';

export interface TrackerOptions {
  config: Config;
  /** A data folder or a postgres:// URL for the archive. Without it, nothing is stored. */
  place?: string;
  /** The servers that `builtin` entries name, run in this process. */
  builtins?: Builtins;
  settings?: Partial<TrackerSettings>;
  clock?: Clock;
  random?: () => number;
  fetch?: typeof fetch;
  /** Where a server process gets its PATH, HOME and locale from. */
  env?: Readonly<Record<string, string | undefined>>;
  log?: TrackerLog;
}

/** Loads the archive and starts connecting. */
export async function openTracker(options: TrackerOptions): Promise<Tracker> {
  const { place, clock = systemClock, log = stderrLog } = options;
  const settings = { ...defaultSettings, ...options.settings };
  if (place === undefined) return new Tracker(options, settings, nothingRemembered, undefined);
  const archive = await Archive.open(place, { clock, log, keep: settings.journal.entries });
  return new Tracker(options, settings, await archive.load(), archive);
}

export class Tracker {
  readonly journal: Journal;
  readonly events: EventStream;
  readonly telemetry = new Telemetry();
  readonly #options: TrackerOptions;
  readonly #settings: TrackerSettings;
  readonly #clock: Clock;
  readonly #log: TrackerLog;
  readonly #remembered: Remembered;
  readonly #archive: Archive | undefined;
  readonly #snapshots: Snapshots;
  readonly #eras: EraMemory;
  readonly #watchdog = new Watchdog();
  #upstreams = new Map<string, Upstream>();
  readonly #leaving = new Set<Promise<void>>();
  /** By server; dropped when the server is removed from the configuration. */
  readonly #definitions = new Map<string, KnownDefinitions>();
  #config: Config;

  constructor(
    options: TrackerOptions,
    settings: TrackerSettings,
    remembered: Remembered,
    archive: Archive | undefined,
  ) {
    const { clock = systemClock, log = stderrLog } = options;
    this.#options = options;
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
    this.#remembered = remembered;
    this.#archive = archive;
    for (const [id, known] of remembered.definitions) this.#addDefinitions(id, known);
    this.#snapshots = new Snapshots(settings.mirrorBytes);
    this.#eras = new EraMemory(clock, remembered.eras, (address, era) => archive?.era(address, era));
    this.journal = new Journal({
      clock,
      limits: settings.journal,
      life: randomBytes(6).toString('hex'),
      earlier: remembered.events,
      archive: (entry) => archive?.event(entry),
      log,
    });
    const { heartbeatMs, maxReaders } = settings;
    this.events = new EventStream({ journal: this.journal, clock, heartbeatMs, maxReaders });
    this.#config = { servers: [], tokens: [] };
    this.apply(options.config);
  }

  get config(): Config {
    return this.#config;
  }

  /** Puts another configuration in force; unchanged servers are left alone. */
  apply(config: Config): void {
    const { added, removed, moved, adjusted } = configChange(this.#config, config);
    this.#config = config;
    for (const { id } of removed) this.#remove(id);
    for (const entry of moved) this.#upstreams.get(entry.id)?.adjust(entry, true);
    for (const entry of adjusted) this.#upstreams.get(entry.id)?.adjust(entry, false);
    const fresh = new Map(added.map((entry) => [entry.id, this.#create(entry)]));
    // In the order of the configuration: a URI of two servers belongs to the first.
    this.#upstreams = new Map(
      config.servers.flatMap(({ id }) => {
        const upstream = fresh.get(id) ?? this.#upstreams.get(id);
        return upstream ? [[id, upstream]] : [];
      }),
    );
    for (const upstream of fresh.values()) upstream.start();
  }

  /** The configured servers, in their order. */
  get upstreams(): Iterable<Upstream> {
    return this.#upstreams.values();
  }

  find(serverId: string): Upstream | undefined {
    return this.#upstreams.get(serverId);
  }

  upstream(serverId: string): Upstream {
    const found = this.find(serverId);
    if (found) return found;
    const names = [...this.#upstreams.keys()].join(', ') || 'none';
    throw new LiveError('RESOURCE_NOT_FOUND', `There is no server "${serverId}". Configured: ${names}.`);
  }

  servers(): ServerStatus[] {
    return [...this.#upstreams.values()].map((upstream) => upstream.status());
  }

  /** Starts or stops tracking a server, until its entry in the configuration says otherwise. */
  track(serverId: string, isTracked: boolean): void {
    this.upstream(serverId).track(isTracked);
  }

  /** Agrees to definitions of a pinned server that were held back. Resolves when that is stored. */
  async trust(serverId: string, agreements: readonly Agreement[]): Promise<void> {
    this.upstream(serverId).definitions.agree(agreements);
    await this.#archive?.flush();
  }

  /**
   * From the mirror while its content is known to be current, otherwise from the server. Also accepts a URI as
   * agents are shown it.
   */
  async read(serverId: string, uri: string): Promise<ReadResourceResult> {
    const upstream = this.upstream(serverId);
    return upstream.read(upstream.spelling(uri));
  }

  /** All metrics, for Prometheus. */
  metrics(): Promise<string> {
    this.telemetry.readers.set(this.events.readers);
    return this.telemetry.text();
  }

  /** Ends every server, stream and file. */
  async close(): Promise<void> {
    await Promise.all([...this.#upstreams.values()].map((upstream) => upstream.stop()));
    await Promise.all(this.#leaving);
    this.events.close();
    this.#watchdog.close();
    await this.#archive?.close();
  }

  #create(entry: ServerEntry): Upstream {
    const { random = Math.random, builtins = {}, env = process.env } = this.#options;
    const { connectMs, health, maxMessageBytes } = this.#settings;
    const log = logFor(this.#log, entry.id);
    const deps = {
      builtins,
      clock: this.#clock,
      random,
      fetch: this.#options.fetch ?? fetch,
      eras: this.#eras,
      maxMessageBytes,
      connectMs,
      health,
      pulse: { ms: undefined },
      log,
      env,
      watchdog: this.#watchdog,
    };
    return new Upstream(entry, {
      clock: this.#clock,
      random,
      settings: this.#settings,
      telemetry: this.telemetry,
      snapshots: this.#snapshots,
      log,
      remembered: this.#remembered.resources.get(entry.id) ?? new Map(),
      definitions: this.#knownDefinitions(entry.id),
      access: {
        opener: (current) => {
          const conceal = concealer(current);
          return concealed(sessionOpener(current, { ...deps, log: concealedLog(log, conceal) }), conceal);
        },
        untilBack: (current, signal) =>
          'url' in current ? untilPortOpens(new URL(current.url), this.#clock, signal) : new Promise(() => undefined),
        conceal: (current, text) => concealer(current)(text),
        eraOf: (current) => this.#eras.seen(current),
      },
      recorder: new ServerRecorder(entry.id, this.journal, this.#archive),
    });
  }

  #remove(id: string): void {
    const upstream = this.#upstreams.get(id);
    if (upstream === undefined) return;
    this.#forgetDefinitions(id);
    const leaving = upstream.stop().then(() => {
      upstream.forget();
      this.#leaving.delete(leaving);
    });
    this.#leaving.add(leaving);
  }

  #knownDefinitions(serverId: string): KnownDefinitions {
    return this.#definitions.get(serverId) ?? this.#addDefinitions(serverId, new Map());
  }

  #addDefinitions(serverId: string, remembered: DefinitionMemory['remembered']): KnownDefinitions {
    // A server that is being removed may still be read; the results are not stored.
    const keep = (change: (archive: DefinitionArchive) => void) => {
      if (this.#definitions.get(serverId) === known) this.#archive?.definitions(change);
    };
    const known: KnownDefinitions = new KnownDefinitions({
      remembered,
      sighted: (kind) => keep((archive) => archive.sighted(serverId, kind)),
      remember: (name, state) => keep((archive) => archive.remember(serverId, name, state)),
      forget: (name) => keep((archive) => archive.forget(serverId, name)),
    });
    this.#definitions.set(serverId, known);
    return known;
  }

  #forgetDefinitions(serverId: string): void {
    this.#definitions.delete(serverId);
    this.#archive?.definitions((archive) => archive.drop(serverId));
  }
}
