// Which vCons have no current vector, and the stored vectors: one set of the full text, and one for each redaction, of
// the redacted text.
import { type RawBuilder, sql } from 'kysely';
import type { Redaction } from '../../model/redaction.ts';
import { documentOf } from '../row.ts';
import type { VconStore } from '../tables.ts';
import { embeddingText } from './embedding-text.ts';
import { type Vector, vectorBytes } from './vector.ts';

export interface ToEmbed {
  id: number;
  uuid: string;
  revision: number;
  digest: string;
  text: string;
}

/** The number of ids per query, so that a pass over many vCons does not delay other queries. */
const stretch = 500;

export class KeptEmbeddings {
  readonly #store: VconStore;
  readonly #model: string;
  readonly #redaction: Redaction | undefined;

  constructor(store: VconStore, model: string, redaction?: Redaction) {
    this.#store = store;
    this.#model = model;
    this.#redaction = redaction;
  }

  /** Of these vCons, the ids of those without a current vector. */
  async missingAmong(uuids: readonly string[]): Promise<number[]> {
    if (uuids.length === 0) return [];
    return this.#missing(sql`vcon.uuid in (${sql.join(uuids)})`);
  }

  /** The same for all vCons, a range of ids at a time; `next` is where to continue. */
  async missingAfter(id: number): Promise<{ ids: number[]; next: number | undefined }> {
    const newest = await this.#store.db
      .selectFrom('vcon')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst();
    const ids = await this.#missing(sql`vcon.id > ${id} and vcon.id <= ${id + stretch}`);
    return { ids, next: (newest?.id ?? 0) > id + stretch ? id + stretch : undefined };
  }

  /** Undefined if the vCon is deleted, has a current vector, or has no text. */
  async load(id: number): Promise<ToEmbed | undefined> {
    const row = await this.#store.db
      .selectFrom('vcon')
      .select(['uuid', 'revision', 'digest', 'form', 'head', 'dialog', 'analysis'])
      .where('id', '=', id)
      .where(this.#isMissing())
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { uuid, revision, digest, ...parts } = row;
    const content = { ...parts, parties: null, attachments: null, sealed: null };
    const text = embeddingText(documentOf(content, this.#redaction));
    // If the redaction hides nothing, the vector of the full text is copied, without a request.
    const isWhole = this.#redaction !== undefined && text === embeddingText(documentOf(content));
    if (text === undefined || (isWhole && (await this.#copy(id, revision)))) return undefined;
    return { id, uuid, revision, digest, text };
  }

  /**
   * Skips deleted items, of which SQLite may have given the id to another vCon. Another process may have stored the same
   * vectors already.
   */
  async keep(made: readonly { item: ToEmbed; vector: Vector }[]): Promise<void> {
    const isSqlite = this.#store.engine === 'sqlite';
    await this.#store.write(async ({ db }) => {
      for (const { item, vector } of made) {
        const value = isSqlite ? sql`${vectorBytes(vector)}` : sql`${[...vector]}::real[]`;
        // Waits for a deletion in progress.
        const lock = isSqlite ? sql`` : sql`for key share`;
        await sql`insert into embedding (vcon_id, redaction, model, revision, vector)
          select id, ${redactionKey(this.#redaction)}, ${this.#model}, ${item.revision}, ${value}
          from vcon where id = ${item.id} and uuid = ${item.uuid}
            and (revision > ${item.revision} or (revision = ${item.revision} and digest = ${item.digest})) ${lock}
          on conflict (vcon_id, redaction) do update
            set model = excluded.model, revision = excluded.revision, vector = excluded.vector
            where embedding.model <> excluded.model or embedding.revision < excluded.revision`.execute(db);
      }
    });
  }

  /** Resolves with false if there is no vector of the full text yet. */
  async #copy(id: number, revision: number): Promise<boolean> {
    const key = redactionKey(this.#redaction);
    return this.#store.write(async ({ db }) => {
      const { rows } = await sql`insert into embedding (vcon_id, redaction, model, revision, vector)
        select vcon_id, ${key}, model, revision, vector from embedding
          where vcon_id = ${id} and redaction = '' and model = ${this.#model} and revision = ${revision}
        on conflict (vcon_id, redaction) do update
          set model = excluded.model, revision = excluded.revision, vector = excluded.vector
        returning vcon_id`.execute(db);
      return rows.length > 0;
    });
  }

  async #missing(among: RawBuilder<unknown>): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select id from vcon where ${among} and ${this.#isMissing()} order by id`.execute(this.#store.db);
    return rows.map(({ id }) => id);
  }

  #isMissing(): RawBuilder<boolean> {
    return sql`not exists (select 1 from embedding where vcon_id = vcon.id
      and embedding.revision = vcon.revision and model = ${this.#model}
      and redaction = ${redactionKey(this.#redaction)})`;
  }
}

/** The key under which vectors of text with this redaction are stored. */
export function redactionKey(redaction: Redaction | undefined): string {
  return redaction?.digest ?? '';
}
