// The SQL statements of the archive: writing rows, and reading the rows of resources.
import { RowStatement, type Store, type Writing } from '@tidings/store';
import { sql } from 'kysely';
import type { RememberedEra } from '../connection/open/era-memory.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { KnownContent } from '../mirror/listener-content.ts';
import type { ResourceRow } from './archive-batch.ts';
import type { ArchiveTables } from './archive-schema.ts';
import type { JournalEntry } from './journal.ts';
import { isStorableKey } from './storable-key.ts';

type ArchiveStore = Store<ArchiveTables>;
type ArchiveWriting = Writing<ArchiveTables>;

/** Writes the events and resources of a batch, which may be hundreds of rows a few times a second. */
export class ArchiveRows {
  readonly #engine: ArchiveStore['engine'];
  readonly #events: RowStatement<ArchiveTables, 'event'>;
  readonly #resources: RowStatement<ArchiveTables, 'resource'>;

  constructor(store: ArchiveStore) {
    this.#engine = store.engine;
    this.#events = new RowStatement(store, { into: 'event', columns: ['cursor', 'json'] });
    this.#resources = new RowStatement(store, {
      into: 'resource',
      columns: ['server', 'uri', 'hash', 'listed'],
      ending: sql`on conflict (server, uri) do update set hash = excluded.hash, listed = excluded.listed`,
    });
  }

  async writeEvents(writing: ArchiveWriting, events: readonly JournalEntry[]): Promise<void> {
    await this.#events.run(
      writing,
      events.map(({ cursor, json }) => [cursor, json]),
    );
  }

  /** Leaves out resources whose URIs the database does not take. */
  async writeResources(writing: ArchiveWriting, all: readonly ResourceRow[]): Promise<void> {
    const rows = all.filter(({ uri }) => isStorableKey(this.#engine, uri));
    const kept = rows.flatMap(({ server, uri, state }) =>
      state === 'gone' ? [] : [[server, uri, hashOf(state.known), Number(state.isListed)]],
    );
    await this.#resources.run(writing, kept);
    for (const { server, uri, state } of rows) {
      if (state !== 'gone') continue;
      await writing.db.deleteFrom('resource').where('server', '=', server).where('uri', '=', uri).execute();
    }
  }
}

export async function writeEras({ db }: ArchiveWriting, eras: ReadonlyMap<string, RememberedEra>): Promise<void> {
  for (const [address, { era, at, sendsRequests }] of eras) {
    const row = { era, at: new Date(at).toISOString(), asks: sendsRequests ? 1 : 0 };
    await db
      .insertInto('era')
      .values({ address, ...row })
      .onConflict((conflict) => conflict.column('address').doUpdateSet(row))
      .execute();
  }
}

/** By server, by URI; of one server or of all. */
export async function readTrackedResources(
  { db }: Pick<ArchiveStore, 'db'>,
  server?: string,
): Promise<Map<string, Map<string, RememberedResource>>> {
  const all = db.selectFrom('resource').selectAll();
  const rows = await (server === undefined ? all : all.where('server', '=', server)).execute();
  const resources = new Map<string, Map<string, RememberedResource>>();
  for (const { server: id, uri, hash, listed } of rows) {
    const remembered = resources.get(id) ?? new Map<string, RememberedResource>();
    resources.set(id, remembered.set(uri, { known: knownOf(hash), isListed: listed === 1 }));
  }
  return resources;
}

/** The column holds a hash, NULL if there never was one, or a mark if the content has changed since. */
const changedMark = '';
const hashOf = (known: KnownContent) => (known === null ? changedMark : (known ?? null));
const knownOf = (hash: string | null): KnownContent => (hash === changedMark ? null : (hash ?? undefined));
