// The state on disk: the journal, what it has told of each resource, and the eras. Written in batches a few times a
// second, each in one transaction: an event and what it told are stored together, so a change whose event is lost in a
// crash is found again by healing.
import { type Clock, LiveError, type Log, type Timer } from '@tidings/live';
import { Rerun } from '@tidings/live/time';
import type { Store, Writing } from '@tidings/store';
import { sql } from 'kysely';
import { z } from 'zod';
import { type Claim, claimsIn } from '../cluster/lease-table.ts';
import type { RememberedEra } from '../connection/era-memory.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { Known } from '../mirror/told.ts';
import { trackerEvent } from '@tidings/client/contract';
import type { JournalEntry } from './journal.ts';
import type { ArchiveTables } from './archive-schema.ts';
import { DefinitionArchive, type RememberedDefinitions } from './definition-archive.ts';

export interface Remembered {
  events: readonly JournalEntry[];
  /** Of the last event. */
  position: number;
  /** By server, by URI. */
  resources: ReadonlyMap<string, ReadonlyMap<string, RememberedResource>>;
  eras: ReadonlyMap<string, RememberedEra>;
  definitions: RememberedDefinitions;
}

export const nothingRemembered: Remembered = {
  events: [],
  position: 0,
  resources: new Map(),
  eras: new Map(),
  definitions: new Map(),
};

type ResourceState = RememberedResource | 'gone';

interface Batch {
  events: readonly EventRow[];
  /** Servers whose rows are deleted; later rows in the same batch are kept. */
  servers: ReadonlyMap<string, Claim | undefined>;
  resources: ReadonlyMap<string, ResourceRow>;
  eras: ReadonlyMap<string, RememberedEra>;
}

interface EventRow {
  entry: JournalEntry;
  claim: Claim | undefined;
}

interface ResourceRow {
  server: string;
  uri: string;
  state: ResourceState;
  /** In a cluster, the row is written only while this holds. */
  claim: Claim | undefined;
}

interface ArchiveStores {
  store: Store<ArchiveTables>;
  /** The store of definitions, which trackers with journals of their own share. */
  definitions: Store<ArchiveTables>;
}

interface ArchiveOptions {
  clock: Clock;
  log: Log;
  keep: number;
  /** Whether other nodes wait for what is written. */
  isShared: boolean;
  /** A node that lost a server tried to write as its owner. */
  fenced?(this: void): void;
}

const writeEveryMs = 250;
/** Where others wait for events: a moment, so that those of one turn are written together. */
const sharedWriteMs = 2;
/** The topic that is announced when events were stored. */
export const journalTopic = 'tidings:journal';
const rowsPerStatement = 200;
const clearEvery = 100;

export class Archive {
  readonly #store: Store<ArchiveTables>;
  readonly #options: ArchiveOptions;
  #events: EventRow[] = [];
  readonly #resources = new Map<string, ResourceRow>();
  readonly #eras = new Map<string, RememberedEra>();
  readonly #servers = new Map<string, Claim | undefined>();
  readonly #definitions: DefinitionArchive;
  #timer: Timer | undefined;
  readonly #writing = new Rerun(() => this.#write());
  #batches = 0;
  #isFailing = false;

  constructor({ store, definitions }: ArchiveStores, options: ArchiveOptions) {
    this.#store = store;
    this.#definitions = new DefinitionArchive(definitions);
    this.#options = options;
  }

  async load(): Promise<Remembered> {
    const { db } = this.#store;
    const newest = db.selectFrom('event').selectAll().orderBy('position', 'desc').limit(this.#options.keep);
    const events = await newest.execute();
    const eras = await db.selectFrom('era').selectAll().execute();
    return {
      events: events.toReversed().flatMap(readEvent),
      position: positionOf(events[0]),
      resources: await this.#resourcesOf(),
      definitions: await this.#definitions.load(),
      eras: new Map(eras.map(({ address, era, at, asks }) => [address, { era, at: Date.parse(at), asks: asks === 1 }])),
    };
  }

  /** The stored state of one server, written by any node. */
  async loadServer(server: string): Promise<Pick<Remembered, 'resources' | 'definitions'>> {
    return { resources: await this.#resourcesOf(server), definitions: await this.#definitions.load(server) };
  }

  event(entry: JournalEntry, claim?: Claim): void {
    this.#events.push({ entry, claim });
    const [dropped, oldest] = this.#events;
    // The database has not answered for long. The remaining events are not complete, so readers get a gap.
    if (this.#events.length > this.#options.keep && dropped && oldest) {
      this.#events.splice(0, 2, { entry: gapInPlaceOf(oldest.entry), claim: undefined });
    }
    this.#later();
  }

  resource(row: ResourceRow): void {
    this.#resources.set(`${row.server} ${row.uri}`, row);
    this.#later();
  }

  /** Deletes the rows of this server's resources. */
  server(server: string, claim?: Claim): void {
    for (const [key, row] of this.#resources) if (row.server === server) this.#resources.delete(key);
    this.#servers.set(server, claim);
    this.#later();
  }

  era(address: string, era: RememberedEra): void {
    this.#eras.set(address, era);
    this.#later();
  }

  definitions(change: (definitions: DefinitionArchive) => void): void {
    change(this.#definitions);
    this.#later();
  }

  /** Resolves when everything so far is written; rejects if that fails. */
  async flush(): Promise<void> {
    await this.#writing.request();
    if (!this.#isFailing) return;
    throw new LiveError(
      'DATABASE_ERROR',
      'The change could not be stored and may be lost at a restart: the log says why.',
    );
  }

  /** Writes the last batch. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#writing.request();
  }

  #later(): void {
    const { clock, isShared } = this.#options;
    this.#timer ??= clock.after(isShared && !this.#isFailing ? sharedWriteMs : writeEveryMs, () => {
      void this.#writing.request().finally(() => {
        this.#timer = undefined;
        if (!this.#isEmpty || !this.#definitions.isWritten) this.#later();
      });
    });
  }

  get #isEmpty(): boolean {
    return this.#events.length + this.#resources.size + this.#eras.size + this.#servers.size === 0;
  }

  /** Rows that could not be written stay for the next batch. */
  async #write(): Promise<void> {
    const batch: Batch = {
      events: [...this.#events],
      servers: new Map(this.#servers),
      resources: new Map(this.#resources),
      eras: new Map(this.#eras),
    };
    try {
      if (!this.#isEmpty) await this.#store.write((writing) => this.#writeBatch(writing, batch));
      this.#written(batch);
      await this.#definitions.write();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.log.error({ err: error }, 'The journal could not be written; trying again.');
      this.#isFailing = true;
      return;
    }
    await this.#clear();
  }

  /** What changed during the write is written with the next batch. */
  #written(batch: Batch): void {
    const written = new Set(batch.events);
    this.#events = this.#events.filter((entry) => !written.has(entry));
    for (const server of batch.servers.keys()) this.#servers.delete(server);
    for (const [key, row] of batch.resources) if (this.#resources.get(key) === row) this.#resources.delete(key);
    for (const [address, era] of batch.eras) if (this.#eras.get(address) === era) this.#eras.delete(address);
  }

  /** Deletes the oldest events now and then. */
  async #clear(): Promise<void> {
    this.#batches += 1;
    if (this.#batches % clearEvery !== 0) return;
    try {
      await this.#store.write(async ({ db }) => {
        const newest = await db.selectFrom('event').select('position').orderBy('position', 'desc').executeTakeFirst();
        const last = positionOf(newest) - this.#options.keep;
        await db.deleteFrom('event').where('position', '<=', last).execute();
      });
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Old events of the journal could not be removed; trying again later.');
    }
  }

  async #resourcesOf(server?: string): Promise<Map<string, Map<string, RememberedResource>>> {
    const all = this.#store.db.selectFrom('resource').selectAll();
    const rows = await (server === undefined ? all : all.where('server', '=', server)).execute();
    const resources = new Map<string, Map<string, RememberedResource>>();
    for (const { server: id, uri, hash, listed } of rows) {
      const remembered = resources.get(id) ?? new Map<string, RememberedResource>();
      resources.set(id, remembered.set(uri, { known: knownOf(hash), isListed: listed === 1 }));
    }
    return resources;
  }

  async #writeBatch({ db, announce }: Writing<ArchiveTables>, batch: Batch): Promise<void> {
    const { isShared, fenced } = this.#options;
    // Positions are in the order of the commits, so that a reader that has one has all before it.
    if (isShared) await sql`select pg_advisory_xact_lock(hashtext('tidings journal'))`.execute(db);
    const rows = [...batch.events, ...batch.resources.values()].map(({ claim }) => claim);
    // What a node writes that is not the owner any more is left out: the new owner finds it by healing.
    const isValid = await claimsIn(db, [...rows, ...batch.servers.values()]);
    const events = batch.events.filter(({ claim }) => isValid(claim)).map(({ entry }) => entry);
    await writeEvents(db, events);
    for (const [server, claim] of batch.servers) {
      if (isValid(claim)) await db.deleteFrom('resource').where('server', '=', server).execute();
    }
    await writeResources(
      db,
      [...batch.resources.values()].filter(({ claim }) => isValid(claim)),
    );
    await writeEras(db, batch.eras);
    if (isShared && events.length > 0) announce(journalTopic);
    if (events.length < batch.events.length) fenced?.();
  }
}

type Db = Writing<ArchiveTables>['db'];

async function writeEvents(db: Db, events: readonly JournalEntry[]): Promise<void> {
  for (const part of partsOf(events)) {
    const rows = part.map(({ cursor, json }) => ({ cursor, json }));
    await db.insertInto('event').values(rows).execute();
  }
}

async function writeResources(db: Db, rows: readonly ResourceRow[]): Promise<void> {
  const kept = rows.flatMap(({ server, uri, state }) =>
    state === 'gone' ? [] : [{ server, uri, hash: hashOf(state.known), listed: Number(state.isListed) }],
  );
  for (const part of partsOf(kept)) {
    await db
      .insertInto('resource')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['server', 'uri'])
          .doUpdateSet((row) => ({ hash: row.ref('excluded.hash'), listed: row.ref('excluded.listed') })),
      )
      .execute();
  }
  for (const { server, uri, state } of rows) {
    if (state !== 'gone') continue;
    await db.deleteFrom('resource').where('server', '=', server).where('uri', '=', uri).execute();
  }
}

async function writeEras(db: Db, eras: ReadonlyMap<string, RememberedEra>): Promise<void> {
  for (const [address, { era, at, asks }] of eras) {
    const row = { era, at: new Date(at).toISOString(), asks: asks ? 1 : 0 };
    await db
      .insertInto('era')
      .values({ address, ...row })
      .onConflict((conflict) => conflict.column('address').doUpdateSet(row))
      .execute();
  }
}

function partsOf<T>(rows: readonly T[]): T[][] {
  const count = Math.ceil(rows.length / rowsPerStatement);
  return Array.from({ length: count }, (_, n) => rows.slice(n * rowsPerStatement, (n + 1) * rowsPerStatement));
}

/** The column holds a hash, NULL if there never was one, or a mark if the content has changed since. */
const changedMark = '';
const hashOf = (known: Known) => (known === null ? changedMark : (known ?? null));
const knownOf = (hash: string | null): Known => (hash === changedMark ? null : (hash ?? undefined));

function gapInPlaceOf({ cursor, event: { timestamp } }: JournalEntry): JournalEntry {
  const event = { type: 'gap' as const, timestamp };
  return { cursor, event, json: JSON.stringify(event) };
}

const rowSchema = z.object({ cursor: z.string(), json: z.string() });

const positionSchema = z.object({ position: z.coerce.number() });

/** 0 where there is none. PostgreSQL has numbers beyond those of JavaScript, which arrive as text. */
export function positionOf(row: unknown): number {
  return row === undefined ? 0 : positionSchema.parse(row).position;
}

/** A newer version may have written events of unknown types. */
export function readEvent(row: unknown): JournalEntry[] {
  const { cursor, json } = rowSchema.parse(row);
  const event = trackerEvent.safeParse(JSON.parse(json));
  return event.success ? [{ cursor, json, event: event.data }] : [];
}
