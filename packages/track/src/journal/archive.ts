// What is stored on disk: the journal, what it has told of each resource, and the eras. Written in batches a few
// times a second, each in one transaction: what is stored as told never outlives the event that told it, so a
// change whose event is lost in a crash is found again by healing.
import { type Clock, LiveError, type Log, type Timer } from '@tidings/live';
import { Rerun } from '@tidings/live/time';
import { type Store, type Writing, openStore } from '@tidings/store';
import { z } from 'zod';
import type { RememberedEra } from '../connection/era-memory.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { Known } from '../mirror/told.ts';
import { trackerEvent } from '@tidings/client/contract';
import type { JournalEntry } from './journal.ts';
import { type ArchiveTables, migrations } from './archive-schema.ts';
import { DefinitionArchive, type RememberedDefinitions } from './definition-archive.ts';

export interface Remembered {
  events: readonly JournalEntry[];
  /** By server, by URI. */
  resources: ReadonlyMap<string, ReadonlyMap<string, RememberedResource>>;
  eras: ReadonlyMap<string, RememberedEra>;
  definitions: RememberedDefinitions;
}

export const nothingRemembered: Remembered = {
  events: [],
  resources: new Map(),
  eras: new Map(),
  definitions: new Map(),
};

type ResourceState = RememberedResource | 'gone';

interface Batch {
  events: readonly JournalEntry[];
  /** Servers whose rows are deleted; later rows in the same batch are kept. */
  servers: ReadonlySet<string>;
  resources: ReadonlyMap<string, ResourceRow>;
  eras: ReadonlyMap<string, RememberedEra>;
}

interface ResourceRow {
  server: string;
  uri: string;
  state: ResourceState;
}

const writeEveryMs = 250;
const rowsPerStatement = 200;
const clearEvery = 100;

export class Archive {
  readonly #store: Store<ArchiveTables>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #keep: number;
  #events: JournalEntry[] = [];
  readonly #resources = new Map<string, ResourceRow>();
  readonly #eras = new Map<string, RememberedEra>();
  readonly #servers = new Set<string>();
  readonly #definitions: DefinitionArchive;
  #timer: Timer | undefined;
  readonly #writing = new Rerun(() => this.#write());
  #batches = 0;
  #isFailing = false;

  private constructor(store: Store<ArchiveTables>, clock: Clock, log: Log, keep: number) {
    this.#store = store;
    this.#definitions = new DefinitionArchive(store);
    this.#clock = clock;
    this.#log = log;
    this.#keep = keep;
  }

  /** `place` is a data folder or a postgres:// URL. */
  static async open(place: string, options: { clock: Clock; log: Log; keep: number }): Promise<Archive> {
    const { clock, log, keep } = options;
    const store = await openStore<ArchiveTables>(place, { name: 'tracker', migrations, log, clock });
    return new Archive(store, clock, log, keep);
  }

  async load(): Promise<Remembered> {
    const { db } = this.#store;
    const events = await db.selectFrom('event').selectAll().orderBy('position', 'desc').limit(this.#keep).execute();
    const rows = await db.selectFrom('resource').selectAll().execute();
    const resources = new Map<string, Map<string, RememberedResource>>();
    for (const { server, uri, hash, listed } of rows) {
      const remembered = resources.get(server) ?? new Map<string, RememberedResource>();
      resources.set(server, remembered.set(uri, { known: knownOf(hash), isListed: listed === 1 }));
    }
    const eras = await db.selectFrom('era').selectAll().execute();
    return {
      events: events.toReversed().flatMap(readEvent),
      resources,
      definitions: await this.#definitions.load(),
      eras: new Map(eras.map(({ address, era, at }) => [address, { era, at: Date.parse(at) }])),
    };
  }

  event(entry: JournalEntry): void {
    this.#events.push(entry);
    if (this.#events.length > this.#keep) this.#events.shift();
    this.#later();
  }

  resource(server: string, uri: string, state: ResourceState): void {
    this.#resources.set(`${server} ${uri}`, { server, uri, state });
    this.#later();
  }

  /** Deletes the rows of this server's resources. */
  server(server: string): void {
    for (const [key, row] of this.#resources) if (row.server === server) this.#resources.delete(key);
    this.#servers.add(server);
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

  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#writing.request();
    await this.#store.close();
  }

  #later(): void {
    this.#timer ??= this.#clock.after(writeEveryMs, () => {
      void this.#writing.request().finally(() => {
        this.#timer = undefined;
        if (!this.#isEmpty || !this.#definitions.isWritten) this.#later();
      });
    });
  }

  get #isEmpty(): boolean {
    return this.#events.length + this.#resources.size + this.#eras.size + this.#servers.size === 0;
  }

  /** What could not be written stays for the next batch. */
  async #write(): Promise<void> {
    const batch: Batch = {
      events: [...this.#events],
      servers: new Set(this.#servers),
      resources: new Map(this.#resources),
      eras: new Map(this.#eras),
    };
    try {
      if (!this.#isEmpty) await this.#store.write(({ db }) => writeBatch(db, batch));
      this.#written(batch);
      await this.#definitions.write();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.error({ error }, 'The journal could not be written; trying again.');
      this.#isFailing = true;
      return;
    }
    await this.#clear();
  }

  /** What changed during the write is written with the next batch. */
  #written(batch: Batch): void {
    const written = new Set(batch.events);
    this.#events = this.#events.filter((entry) => !written.has(entry));
    for (const server of batch.servers) this.#servers.delete(server);
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
        const last = (newest?.position ?? 0) - this.#keep;
        await db.deleteFrom('event').where('position', '<=', last).execute();
      });
    } catch (error) {
      this.#log.warn({ error }, 'Old events of the journal could not be removed; trying again later.');
    }
  }
}

type Db = Writing<ArchiveTables>['db'];

async function writeBatch(db: Db, { events, servers, resources, eras }: Batch): Promise<void> {
  await writeEvents(db, events);
  for (const server of servers) await db.deleteFrom('resource').where('server', '=', server).execute();
  await writeResources(db, [...resources.values()]);
  await writeEras(db, eras);
}

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
  for (const [address, { era, at }] of eras) {
    const row = { era, at: new Date(at).toISOString() };
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

const rowSchema = z.object({ cursor: z.string(), json: z.string() });

/** A newer version may have written events of unknown types. */
function readEvent(row: unknown): JournalEntry[] {
  const { cursor, json } = rowSchema.parse(row);
  const event = trackerEvent.safeParse(JSON.parse(json));
  return event.success ? [{ cursor, json, event: event.data }] : [];
}
