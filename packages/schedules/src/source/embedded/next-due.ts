// The next moment at which there is anything to do, and whether the clock was ahead when it was computed: looks at
// the ends of indexes, in one query.
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

interface Row {
  next: number | null;
  due: number | null;
  set_at: number | null;
  lease_set_at: number | null;
  missed: number | null;
}

export interface Due {
  /** Undefined if there is nothing to do. */
  moment: number | undefined;
  /** The latest moment at which anything was computed. In the future, it was computed by a clock that was ahead. */
  computedAt: number;
  /** There are one-offs that were found too late: by a clock that was ahead, perhaps. */
  hasMissed: boolean;
}

export class NextDue {
  readonly #db: Kysely<Tables>;
  readonly #query: CompiledQuery<Row>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
    this.#query = sql<Row>`
      select (select min(next) from entry where next is not null) as next, (select min(due) from delivery) as due,
        (select max(set_at) from entry) as set_at, (select max(set_at) from delivery) as lease_set_at,
        (select max(last) from entry where cron is null and last_status = 'missed') as missed`.compile(db);
  }

  async read(): Promise<Due> {
    const { rows } = await this.#db.executeQuery(this.#query);
    const [row] = rows;
    const moments = [row?.next ?? null, row?.due ?? null].filter((moment) => moment !== null);
    return {
      moment: moments.length > 0 ? Math.min(...moments) : undefined,
      computedAt: Math.max(row?.set_at ?? 0, row?.lease_set_at ?? 0),
      hasMissed: (row?.missed ?? null) !== null,
    };
  }
}
