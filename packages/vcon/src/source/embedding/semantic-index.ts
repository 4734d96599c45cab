// Search by meaning: vectors of texts, and the vCons with the nearest vectors. The database compares: SQLite with
// sqlite-vec, PostgreSQL with pgvector.
import { type Clock, LiveError } from '@tidings/live';
import { delay } from '@tidings/live/time';
import { type RawBuilder, sql } from 'kysely';
import type { Redaction } from '../../model/redaction.ts';
import type { VconStore } from '../tables.ts';
import { EmbedFailure, notSetUp, otherLength } from './embed-failure.ts';
import type { Embedder } from './embedder.ts';
import { redactionKey } from './kept-embeddings.ts';
import { pgvectorSchema } from './pgvector.ts';
import { type Vector, vectorBytes } from './vector.ts';

/** The number of texts per request. */
export const textsAtOnce = 32;
/** A failed request is repeated after these pauses; they are short, because a caller waits for the result. */
const pausesMs = [200, 1000];

export class SemanticIndex {
  readonly #store: VconStore;
  readonly #embedder: Embedder | undefined;
  readonly #clock: Clock;
  #length: number | undefined;

  constructor(store: VconStore, embedder: Embedder | undefined, clock: Clock) {
    this.#store = store;
    this.#embedder = embedder;
    this.#clock = clock;
  }

  /** Vectors of different models cannot be compared. */
  get model(): string | undefined {
    return this.#embedder?.model;
  }

  async vectorOf(text: string): Promise<Vector> {
    const [vector] = await this.vectorsOf([text]);
    if (vector === undefined) throw new TypeError('One text has one vector.');
    return vector;
  }

  /** Checks a vector from a caller: it must be as long as those of the model. */
  async given(vector: Vector): Promise<Vector> {
    if (this.#embedder === undefined) throw notSetUp();
    this.#length ??= await this.#keptLength(this.#embedder.model);
    if (this.#length === undefined || this.#length === vector.length) return vector;
    const problem = `embedding has ${vector.length} numbers, those of ${this.#embedder.model} have ${this.#length}`;
    throw new LiveError('INVALID_PARAMS', `${problem}: make it with that model, or give a query instead.`);
  }

  async vectorsOf(texts: readonly string[]): Promise<Vector[]> {
    const vectors: Vector[] = [];
    for (let start = 0; start < texts.length; start += textsAtOnce) {
      vectors.push(...(await this.#withRetries(texts.slice(start, start + textsAtOnce))));
    }
    return vectors;
  }

  /** One request. */
  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Vector[]> {
    if (this.#embedder === undefined) throw notSetUp();
    const { model } = this.#embedder;
    const vectors = await this.#embedder.embed(texts, signal);
    const length = vectors[0]?.length ?? 0;
    this.#length ??= await this.#keptLength(model);
    if (this.#length !== undefined && length !== this.#length) throw otherLength(model, this.#length, length);
    return vectors;
  }

  /** Selects best_id and score among the vectors of text with this redaction. */
  async nearestTo(vector: Vector, redaction?: Redaction): Promise<RawBuilder<unknown>> {
    const model = this.#embedder?.model ?? '';
    const comparable = sql`model = ${model} and redaction = ${redactionKey(redaction)}`;
    if (this.#store.engine === 'sqlite') {
      await this.#checkSqliteVec();
      const bytes = vectorBytes(vector);
      return sql`select vcon_id as best_id, 1 - vec_distance_cosine(vector, ${bytes}) as score from embedding
        where ${comparable} and length(vector) = ${bytes.length}`;
    }
    const schema = await pgvectorSchema(this.#store);
    if (schema === undefined) throw noPgvector();
    const type = sql.id(schema, 'vector');
    // The operators are qualified with the schema of the extension, which may be any.
    return sql`select vcon_id as best_id,
        1 - (vector::${type} operator(${sql.id(schema)}.<=>) ${`[${vector.join(',')}]`}::${type}) as score
      from embedding where ${comparable} and cardinality(vector) = ${vector.length}`;
  }

  async #withRetries(texts: readonly string[]): Promise<Vector[]> {
    for (const pauseMs of pausesMs) {
      try {
        return await this.embed(texts);
      } catch (error) {
        if (!(error instanceof EmbedFailure && error.isTemporary)) throw error;
        await delay(this.#clock, pauseMs);
      }
    }
    return this.embed(texts);
  }

  /** The length of the stored vectors of this model. */
  async #keptLength(model: string): Promise<number | undefined> {
    const { db, engine } = this.#store;
    const length = engine === 'sqlite' ? sql<number>`length(vector) / 4` : sql<number>`cardinality(vector)`;
    const kept = await db
      .selectFrom('embedding')
      .select(length.as('length'))
      .where('model', '=', model)
      .limit(1)
      .executeTakeFirst();
    return kept?.length;
  }

  async #checkSqliteVec(): Promise<void> {
    try {
      await sql`select vec_version()`.execute(this.#store.db);
    } catch (error) {
      if (error instanceof LiveError) throw error;
      throw new LiveError(
        'UNAVAILABLE',
        'Search by meaning is not possible here: sqlite-vec has no build for this platform.',
      );
    }
  }
}

function noPgvector(): LiveError {
  return new LiveError(
    'UNAVAILABLE',
    'Search by meaning needs the extension pgvector in PostgreSQL: install it, and let an administrator run "create extension vector". search_vcons_content finds words without it.',
  );
}
