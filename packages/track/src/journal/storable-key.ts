// Which URIs and names the database can store in an index. A row that it refuses would fail its whole batch, and all
// later ones with it, so what a server calls its resources and tools must not decide whether the journal is written.
import type { Store } from '@tidings/store';

/** PostgreSQL's limit is 2704 bytes for all columns of an index; the other columns take less than 200. */
const mostBytes = 2500;
/** PostgreSQL has no NUL in text. Lone surrogates become the same character, and so two keys the same. */
const unstorable = /[\0\p{Surrogate}]/u;

export function isStorableKey(engine: Store<unknown>['engine'], key: string): boolean {
  if (engine === 'sqlite') return true;
  return !unstorable.test(key) && Buffer.byteLength(key) <= mostBytes;
}
