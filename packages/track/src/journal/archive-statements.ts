// The SQL statements of the archive: writing rows, in parts that an engine accepts, and reading the rows of resources.
import type { Store, Writing } from '@tidings/store';
import type { RememberedEra } from '../connection/era-memory.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { Known } from '../mirror/told.ts';
import type { ResourceRow } from './archive-batch.ts';
import type { ArchiveTables } from './archive-schema.ts';
import type { JournalEntry } from './journal.ts';

const rowsPerStatement = 200;

type Db = Writing<ArchiveTables>['db'];

export async function writeEvents(db: Db, events: readonly JournalEntry[]): Promise<void> {
  for (const part of partsOf(events)) {
    const rows = part.map(({ cursor, json }) => ({ cursor, json }));
    await db.insertInto('event').values(rows).execute();
  }
}

export async function writeResources(db: Db, rows: readonly ResourceRow[]): Promise<void> {
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

export async function writeEras(db: Db, eras: ReadonlyMap<string, RememberedEra>): Promise<void> {
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

/** By server, by URI; of one server or of all. */
export async function readResources(
  { db }: Pick<Store<ArchiveTables>, 'db'>,
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
const hashOf = (known: Known) => (known === null ? changedMark : (known ?? null));
const knownOf = (hash: string | null): Known => (hash === changedMark ? null : (hash ?? undefined));
