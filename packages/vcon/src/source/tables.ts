// The tables: one row per vCon, its arrays in separate columns, so that every resource is one query for exactly the
// columns it shows.
import type { Generated } from 'kysely';
import type { Migration, SchemaChange, Store, Writing } from '@tidings/store';
import type { Form } from '../model/form.ts';

export type VconStore = Store<VconTables>;
export type VconWriting = Writing<VconTables>;
export type VconEngine = VconStore['engine'];

export interface VconTables {
  vcon: Omit<VconRow, 'id'> & { id: Generated<number> };
  tag: TagRow;
  vcon_words: WordsRow;
  embedding: EmbeddingRow;
  import_place: ImportPlaceRow;
  webhook_place: WebhookPlaceRow;
}

/**
 * Columns that are served hold JSON as text: it goes out as it is, and every string survives, also those
 * that an engine's own text type refuses.
 */
export interface VconRow {
  id: number;
  uuid: string;
  /** The instant of `created_at` in microseconds since the epoch. */
  created: number;
  created_at: string;
  subject: string | null;
  form: Form;
  /** Increases with every change, to detect derived data that is outdated. */
  revision: number;
  /** A digest to compare documents with the same uuid: `model/digest.ts` has its two kinds. */
  digest: string;
  /** The number of characters of the document. */
  size: number;
  /** Subject and parties as they are searched for. */
  subject_key: string;
  party_key: string;
  /** Everything except the arrays. */
  head: string;
  parties: string | null;
  dialog: string | null;
  analysis: string | null;
  attachments: string | null;
  /** The whole document, if it is signed or encrypted. */
  sealed: string | null;
}

interface TagRow {
  vcon_id: number;
  key: string;
  value: string;
}

/** SQLite: a full-text index that keeps no text of its own. PostgreSQL: a table with a search vector. */
interface WordsRow {
  rowid: number;
  words: string;
}

interface EmbeddingRow {
  vcon_id: number;
  /** The digest of the redaction it was computed under; empty: of the full text. */
  redaction: string;
  /** The model that computed it: vectors of different models cannot be compared. */
  model: string;
  revision: number;
  /** SQLite: 32-bit floats, one after the other. */
  vector: Uint8Array | number[];
}

/** The position of an interrupted import. */
interface ImportPlaceRow {
  source: string;
  /** The fingerprint of the file: a changed file is read from its beginning. */
  fingerprint: string;
  bytes: number;
  lines: number;
  /** For a source with pages: the cursor of its last page. */
  cursor: string | null;
}

/** The position up to which webhooks were sent to an address, and the process that sends them. */
interface WebhookPlaceRow {
  url: string;
  /** The position of the last change that was sent; empty before the first. */
  cursor: string;
  owner: string | null;
  /** When its lease ends, in milliseconds since the epoch. */
  owner_until: number;
}

// Moments and sizes are floating-point numbers, in which they are exact: 64-bit integers come back as text
// from one engine and as numbers from the other.
export const migrations: readonly Migration[] = [
  {
    name: 'vcons',
    up: async (schema) => {
      const { engine, run } = schema;
      const id = engine === 'sqlite' ? 'integer primary key' : 'integer generated always as identity primary key';
      // The small columns first: SQLite then need not read past them for a list.
      await run(`
        create table vcon (
          id ${id},
          uuid text not null unique,
          created double precision not null,
          created_at text not null,
          subject text,
          form text not null,
          revision integer not null,
          digest text not null,
          size double precision not null,
          subject_key text not null,
          party_key text not null,
          head text not null,
          parties text,
          dialog text,
          analysis text,
          attachments text,
          sealed text)`);
      // With the columns that lists show, so that a page is read from the index alone. PostgreSQL cannot index long
      // subjects.
      const shown = engine === 'sqlite' ? ', created_at, subject' : '';
      await run(`create index vcon_by_created on vcon (created desc, uuid desc${shown})`);
      await run(`
        create table tag (
          vcon_id integer not null references vcon (id) on delete cascade,
          key text not null,
          value text not null,
          primary key (vcon_id, key))`);
      await run('create index tag_by_key on tag (key, value, vcon_id)');
      await createWords(schema);
      await createEmbeddings(schema);
      await run(`
        create table import_place (
          source text primary key,
          fingerprint text not null,
          bytes double precision not null,
          lines double precision not null)`);
    },
  },
  { name: 'a vector for each redaction', up: separateEmbeddings },
  { name: 'pages of imports', up: ({ run }) => run('alter table import_place add column cursor text') },
  {
    name: 'places of webhooks',
    up: ({ run }) => run('create table webhook_place (url text primary key, cursor text not null)'),
  },
  {
    name: 'one sender of webhooks',
    up: async ({ run }) => {
      await run('alter table webhook_place add column owner text');
      await run('alter table webhook_place add column owner_until double precision not null default 0');
    },
  },
];

async function createWords({ engine, run }: SchemaChange): Promise<void> {
  if (engine === 'sqlite') {
    // Words are already split and folded when they are inserted, the same way for both engines.
    await run(`
      create virtual table vcon_words using fts5(
        words, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0")`);
    // Deleted content is overwritten, not only unlinked.
    await run(`insert into vcon_words(vcon_words, rank) values ('secure-delete', 1)`);
    return;
  }
  await run(`
    create table vcon_words (
      rowid integer primary key references vcon (id) on delete cascade,
      words tsvector not null)`);
  await run('create index vcon_words_index on vcon_words using gin (words)');
}

async function createEmbeddings({ engine, run }: SchemaChange): Promise<void> {
  await run(`
    create table embedding (
      vcon_id integer primary key references vcon (id) on delete cascade,
      model text not null,
      revision integer not null,
      vector ${engine === 'sqlite' ? 'blob' : 'real[]'} not null)`);
}

async function separateEmbeddings({ engine, run }: SchemaChange): Promise<void> {
  if (engine === 'postgres') {
    await run(`alter table embedding add column redaction text not null default ''`);
    await run('alter table embedding drop constraint embedding_pkey');
    await run('alter table embedding add primary key (vcon_id, redaction)');
    return;
  }
  // SQLite cannot change a primary key in place.
  await run('alter table embedding rename to old_embedding');
  await run(`
    create table embedding (
      vcon_id integer not null references vcon (id) on delete cascade,
      model text not null,
      revision integer not null,
      vector blob not null,
      redaction text not null default '',
      primary key (vcon_id, redaction))`);
  await run(
    'insert into embedding (vcon_id, model, revision, vector) select vcon_id, model, revision, vector from old_embedding',
  );
  await run('drop table old_embedding');
}
