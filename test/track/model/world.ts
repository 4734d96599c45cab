// A tracker's upstream, with a server that drops messages and listeners that reread when notified.
import { ProtocolError } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { FakeClock } from '@tidings/live/testing';
import { type TrackerSettings, defaultSettings } from '@tidings/track';
import type { UndatedEvent } from '@tidings/client/contract';
import type { RememberedResource } from '../../../packages/track/src/mirror/resource-record.ts';
import { KnownDefinitions } from '../../../packages/track/src/definition/known-definitions.ts';
import { Snapshots } from '../../../packages/track/src/mirror/snapshots.ts';
import { Versions } from '../../../packages/track/src/mirror/versions.ts';
import { listedAmong } from '../../../packages/track/src/upstream/memory/server-memory.ts';
import { Telemetry } from '../../../packages/track/src/base/telemetry.ts';
import { FakeRecorder } from '../../../packages/track/src/testing/fake-recorder.ts';
import { Watchers } from '../../../packages/track/src/subscription/watchers.ts';
import { emptyCatalog } from '../../../packages/track/src/subscription/catalog/catalog.ts';
import { nothingOffered } from '../../../packages/track/src/upstream/definition/upstream-definitions.ts';
import type { Handover } from '../../../packages/track/src/upstream/upstream-deps.ts';
import { Upstream } from '../../../packages/track/src/upstream/upstream.ts';
import { JournalReader, ReadAgain, Reader, gone } from './readers.ts';
import { ModelServer } from './server.ts';

export const uris = ['note://a', 'note://b'] as const;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Kept {
  events: { id: number; event: UndatedEvent }[];
  rows: Map<string, RememberedResource>;
}

export interface WorldSetting {
  isTracked?: boolean;
  /** Whether each resource has a watcher from the beginning. */
  isWatched?: boolean;
  canSubscribe?: boolean;
  /** Larger contents are not hashed. */
  maxContentBytes?: number;
  /** Reads return the content of this long ago. */
  lagMs?: number;
  /** The server's `ttlMs`. */
  ttlMs?: number;
}

export class World {
  readonly clock = new FakeClock();
  readonly server = new ModelServer(this.clock);
  readonly telemetry = new Telemetry();
  readonly readers: JournalReader[] = [
    new JournalReader('feed', uris),
    new JournalReader('feed, now and then', uris),
    new JournalReader('feed, reads from the server', uris, this.server),
  ];
  watchers: Reader[] = [];
  readonly #ends = new WeakMap<Reader, () => void>();
  isTracked: boolean;
  /** The stored state that a restarted tracker finds. */
  #durable: Kept = { events: [], rows: new Map() };
  #events: Kept['events'] = [];
  #recorder = new FakeRecorder();
  #nextId = 1;
  #life = 0;
  /** The number of the process: watchers end with theirs. */
  #process = 0;
  #upstream: Upstream | undefined;
  /** Started, but not in charge of the server yet. */
  #successor: Upstream | undefined;
  #values = 0;

  readonly #isWatched: boolean;
  readonly #settings: TrackerSettings;
  /** Whether another node tracks the server. */
  #isFollower = false;
  #snapshots = new Snapshots(1_000_000);

  constructor({ isTracked = true, canSubscribe = true, isWatched = true, ...rest }: WorldSetting = {}) {
    const { lagMs = 0, ttlMs, maxContentBytes = 1000 } = rest;
    this.isTracked = isTracked;
    this.#isWatched = isWatched;
    this.#settings = { ...defaultSettings, maxContentBytes };
    this.server.canSubscribe = canSubscribe;
    this.server.lagMs = lagMs;
    this.server.ttlMs = ttlMs;
    for (const uri of uris) this.server.contents.set(uri, 'first');
  }

  get upstream(): Upstream {
    if (this.#upstream === undefined) throw new Error('It has not been started.');
    return this.#upstream;
  }

  start(): void {
    this.#process += 1;
    this.#isFollower = false;
    this.#snapshots = new Snapshots(1_000_000);
    const upstream = this.#make({
      watchers: new Watchers(silent),
      watcherContents: new Map(),
      offer: nothingOffered,
      catalog: emptyCatalog,
    });
    this.#upstream = upstream;
    for (const reader of this.readers) {
      reader.reading = { read: (uri) => this.#readForJournal(uri) };
      this.#attach(reader);
    }
    upstream.start();
    this.watchers = [];
    if (this.#isWatched) for (const uri of uris) void this.watch(uri);
  }

  /**
   * Changes this node's role (owner or follower): a new `Upstream` is started, and writes of the present one are
   * ignored from now on.
   */
  takeOver({ isFollower = false } = {}): void {
    if (this.#successor) return;
    if (!this.#isFollower) this.commit();
    // A server that was never followed has nothing to hand over.
    if (this.#durable.rows.size === 0) return;
    this.#isFollower = isFollower;
    this.#successor = this.upstream.handOver((handover) => this.#make(handover));
    this.#successor.start();
  }

  /** The new `Upstream` takes charge of the server. */
  replace(): void {
    const [before, after] = [this.upstream, this.#successor];
    if (after === undefined) return;
    this.#successor = undefined;
    this.#upstream = after;
    after.succeed(before);
    void before.stop().then(() => before.discard());
  }

  #make(handover: Handover): Upstream {
    this.#life += 1;
    const life = this.#life;
    this.#events = [...this.#durable.events];
    this.#recorder = new FakeRecorder((event) => {
      if (this.#life === life) this.#append(event);
    }, this.#durable.rows);
    const entry = { id: 's', builtin: 's', enabled: true, trackResources: this.isTracked };
    return new Upstream(entry, {
      clock: this.clock,
      random: () => 0.5,
      settings: this.#settings,
      telemetry: this.telemetry,
      versions: new Versions({ count: 20, bytes: 1_000_000 }),
      snapshots: this.#snapshots,
      log: silent,
      memory: {
        resources: new Map(this.#isFollower ? [] : this.#durable.rows),
        catalog: listedAmong(this.#durable.rows),
        definitions: new KnownDefinitions({
          remembered: new Map(),
          sighted: () => undefined,
          remember: () => undefined,
          forget: () => undefined,
        }),
      },
      accessTo: () => ({
        open: this.server.open,
        conceal: (text) => text,
        loginCommand: '',
        loginAdvice: '',
        scopeAdvice: '',
        era: undefined,
        stderr: [],
        noteClientRequest: () => undefined,
        untilBack: () => this.server.untilUp(),
      }),
      recorder: this.#recorder,
      handover,
      user: undefined,
      isFollower: this.#isFollower,
      shown: (own) => own,
    });
  }

  async #readForJournal(uri: string): Promise<string> {
    return this.#read(uri).catch((error: unknown) => {
      const isFollowed = !this.#isFollower && this.upstream.lastKnownCatalog.resources.has(uri);
      throw isFollowed ? error : new ReadAgain();
    });
  }

  async #read(uri: string): Promise<string> {
    try {
      const { contents } = await this.upstream.read(uri);
      const [first] = contents;
      return first && 'text' in first ? first.text : '';
    } catch (error) {
      if (error instanceof LiveError && error.code === 'RESOURCE_NOT_FOUND') return gone;
      // The client gets the server's refusal as an error.
      throw error instanceof LiveError && error.cause instanceof ProtocolError ? new ReadAgain() : error;
    }
  }

  /** A client subscribes, and reads once the subscription is acknowledged. */
  async watch(uri: string, held?: string): Promise<void> {
    const inProcess = this.#process;
    const watcher = new Reader(`watcher of ${uri}`, []);
    watcher.reading = { read: (each) => this.#read(each) };
    if (held !== undefined) watcher.held.set(uri, held);
    const { ready, end } = this.upstream.watch(uri, () => watcher.tell(uri));
    await ready;
    if (inProcess !== this.#process) return;
    this.watchers.push(watcher);
    this.#ends.set(watcher, end);
    watcher.told.add(uri);
    watcher.act();
  }

  /** The oldest subscription ends. */
  unwatch(): void {
    const watcher = this.watchers.shift();
    if (watcher) this.#ends.get(watcher)?.();
  }

  /** Stores the writes so far, so that they outlive the process. */
  commit(): void {
    if (this.#isFollower) return;
    this.#durable = { events: [...this.#events], rows: new Map(this.#recorder.rows) };
  }

  kill(): void {
    this.#life += 1;
    const ended = [this.upstream, this.#successor];
    this.#upstream = undefined;
    this.#successor = undefined;
    // The process is gone: later acts of its upstreams are ignored.
    for (const upstream of ended) void upstream?.stop();
    for (const reader of this.readers) reader.interrupted();
    this.start();
  }

  async restart(): Promise<void> {
    this.replace();
    await this.upstream.stop();
    this.commit();
    this.kill();
  }

  track(isTracked: boolean): void {
    this.isTracked = isTracked;
    this.replace();
    this.upstream.track(isTracked);
  }

  nextValue(): string {
    this.#values += 1;
    return `value ${this.#values}`;
  }

  /** The number of its updates in the journal. */
  updates(uri: string): number {
    return this.#events.filter(({ event }) => event.type === 'resource_update' && event.resourceUri === uri).length;
  }

  get gaps(): number {
    return this.#events.filter(({ event }) => event.type === 'gap').length;
  }

  attach(reader: JournalReader, isAttached: boolean): void {
    reader.isAttached = isAttached;
    if (isAttached) this.#attach(reader);
  }

  #append(event: UndatedEvent): void {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#events.push({ id, event });
    for (const reader of this.readers) if (reader.isAttached) reader.hear(id, event);
  }

  #attach(reader: JournalReader): void {
    if (!reader.isAttached) return;
    const events = this.#events;
    const place = events.findIndex(({ id }) => id === reader.cursor);
    // As in the event stream: an unknown cursor leads to a gap.
    if (place < 0 && reader.cursor > 0) reader.hear(events.at(-1)?.id ?? 0, { type: 'gap' });
    else for (const { id, event } of events.slice(place + 1)) reader.hear(id, event);
  }

  pass(ms: number): void {
    this.server.deliverAll();
    this.clock.advance(ms);
  }

  act(): void {
    for (const reader of [...this.readers, ...this.watchers]) reader.act();
  }

  async settle(): Promise<void> {
    for (let n = 0; n < 6; n += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      this.clock.tick();
    }
  }

  /**
   * Ends all faults; time passes, every request is answered, and every reader acts on its notifications. Resolves with
   * the milliseconds until all readers were right and stayed so; undefined if some are not.
   */
  async calm(): Promise<number | undefined> {
    const began = this.clock.now();
    let rightAt: number | undefined;
    this.server.isUp = true;
    this.server.isSlow = false;
    this.server.refusesLists = false;
    this.server.agree();
    while (this.server.requests.length > 0) this.server.answerNext('new');
    this.server.restore();
    this.replace();
    if (!this.isTracked) this.track(true);
    for (const reader of this.readers) this.attach(reader, true);
    for (let n = 0; n < 40; n += 1) {
      this.server.deliverAll();
      await this.settle();
      this.act();
      await this.settle();
      if (this.stale().length > 0) rightAt = undefined;
      else rightAt ??= this.clock.now() - began;
      this.clock.advance(n < 20 ? 500 : 3000);
      await this.settle();
    }
    return this.stale().length > 0 ? undefined : rightAt;
  }

  /**
   * Readers whose content differs from the server's. A follower notifies watchers only; the owner writes the journal.
   */
  stale(): string[] {
    const told = this.#isFollower ? this.watchers : [...this.readers, ...this.watchers];
    return told.flatMap(({ name, held, told }) =>
      [...held]
        .filter(([uri, text]) => text !== (this.server.contents.get(uri) ?? gone) || told.has(uri))
        .map(([uri, text]) => `${name}: ${uri} is ${text}, not ${this.server.contents.get(uri) ?? gone}`),
    );
  }
}
