// The positions of imports. A position is stored in the transaction of the documents before it, so an interrupted
// import continues exactly there.
import type { Library } from '../source/library.ts';
import type { VconWriting } from '../source/tables.ts';
import type { SourcePosition } from './piece.ts';

export interface ImportPosition extends SourcePosition {
  /** Detects a changed file, or other options of the import. */
  fingerprint: string;
  cursor: string | null;
}

export async function positionIn(library: Library, source: string): Promise<ImportPosition | undefined> {
  return library.store.db
    .selectFrom('import_place')
    .select(['fingerprint', 'bytes', 'lines', 'cursor'])
    .where('source', '=', source)
    .executeTakeFirst();
}

/** A finished file has no stored position. */
export async function keepPosition(
  db: VconWriting['db'],
  source: string,
  position: ImportPosition | undefined,
): Promise<void> {
  if (position === undefined) {
    await db.deleteFrom('import_place').where('source', '=', source).execute();
    return;
  }
  await db
    .insertInto('import_place')
    .values({ source, ...position })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(position))
    .execute();
}
