// The next time at which there is work, and whether a clock that was ahead computed it: one query that reads the ends
// of indexes.
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { ScheduleTables } from './tables.ts';

interface Row {
  next: number | null;
  due: number | null;
  set_at: number | null;
  lease_set_at: number | null;
  missed: number | null;
}

export interface Due {
  /** Undefined if there is no work. */
  moment: number | undefined;
  /** The latest time of a computation. If it is in the future, a clock that was ahead made it. */
  computedAt: number;
  /** Whether there are missed one-offs: a clock that was ahead may have caused that. */
  hasMissed: boolean;
}

export class NextDue {
  readonly #db: Kysely<ScheduleTables>;
  readonly #query: CompiledQuery<Row>;

  constructor(db: Kysely<ScheduleTables>) {
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
