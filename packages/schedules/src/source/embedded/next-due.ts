// The next moment at which there is anything to do: two looks at the front of two indexes, in one query.
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

export class NextDue {
  readonly #db: Kysely<Tables>;
  readonly #query: CompiledQuery<{ next: number | null; due: number | null }>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
    this.#query = sql<{ next: number | null; due: number | null }>`
      select (select min(next) from entry where next is not null) as next, (select min(due) from delivery) as due`.compile(
      db,
    );
  }

  async read(): Promise<number | undefined> {
    const { rows } = await this.#db.executeQuery(this.#query);
    const moments = rows.flatMap(({ next, due }) => [next, due]).filter((moment) => moment !== null);
    return moments.length > 0 ? Math.min(...moments) : undefined;
  }
}
