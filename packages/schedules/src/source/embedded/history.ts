// Records history entries in the transaction of the change, and reads them.
import { shortened } from '@tidings/live/portable';
import { type CompiledQuery, type Kysely, type Selectable, sql } from 'kysely';
import { type HistoryEntry, type HistoryEvent, mostHistory } from '../../model/history.ts';
import { historyTopicOf } from '../backend.ts';
import type { HistoryRow, ScheduleWriting, ScheduleTables } from './tables.ts';
import { iso } from './topic-content.ts';

interface NewHistoryEntry {
  topic: string;
  at: number;
  event: HistoryEvent;
  entryId: string | null;
  by: string;
  occurrence?: number | null | undefined;
  body?: string | undefined;
  destination?: string | null | undefined;
  tries?: number | undefined;
  reason?: string | null | undefined;
  again?: boolean | undefined;
}

/** The stored length of a notification's text. */
const longestBody = 200;

export async function record({ db, announce }: ScheduleWriting, happened: NewHistoryEntry): Promise<void> {
  const { topic, at, event, entryId, by, body } = happened;
  await db
    .insertInto('history')
    .values({
      topic,
      at,
      event,
      entry_id: entryId,
      by,
      occurrence: happened.occurrence ?? null,
      body: body === undefined ? null : shortened(body, longestBody),
      destination: happened.destination ?? null,
      tries: happened.tries ?? null,
      reason: happened.reason ?? null,
      again: happened.again ? 1 : 0,
    })
    .execute();
  await db
    .deleteFrom('history')
    .where('topic', '=', topic)
    .where('seq', '<=', (query) =>
      query
        .selectFrom('history')
        .select('seq')
        .where('topic', '=', topic)
        .orderBy('seq', 'desc')
        .limit(1)
        .offset(mostHistory),
    )
    .execute();
  announce(historyTopicOf(topic));
}

/** The limit for all topics together: topics without schedules keep their history, and their number is unlimited. */
const mostOfAll = 100_000;
const prunedAtOnce = 1000;

/** Removes the oldest entries of all topics above the limit. */
export async function pruneHistory({ db }: ScheduleWriting): Promise<void> {
  await db
    .deleteFrom('history')
    .where('seq', 'in', (query) =>
      query
        .selectFrom('history')
        .select('seq')
        .where('seq', '<=', sql<number>`(select max(seq) from history) - ${mostOfAll}`)
        .orderBy('seq')
        .limit(prunedAtOnce),
    )
    .execute();
}

export class HistoryReader {
  readonly #db: Kysely<ScheduleTables>;
  readonly #ofTopic: CompiledQuery<Selectable<HistoryRow>>;

  constructor(db: Kysely<ScheduleTables>) {
    this.#db = db;
    this.#ofTopic = db.selectFrom('history').selectAll().where('topic', '=', '').orderBy('seq', 'desc').compile();
  }

  async read(topic: string): Promise<HistoryEntry[]> {
    const { rows } = await this.#db.executeQuery<Selectable<HistoryRow>>({ ...this.#ofTopic, parameters: [topic] });
    return rows.map(entryOf);
  }
}

function entryOf(row: Selectable<HistoryRow>): HistoryEntry {
  return {
    at: iso(row.at),
    event: row.event,
    schedule_id: row.entry_id,
    by: row.by,
    ...(row.occurrence !== null && { occurrence: iso(row.occurrence) }),
    ...(row.body !== null && { notification_body: row.body }),
    ...(row.destination !== null && { destination: row.destination }),
    ...(row.tries !== null && { tries: row.tries }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.again === 1 && { again: true }),
  };
}
