// Reads topics: one query each, compiled once.
import type { CompiledQuery, Kysely } from 'kysely';
import type { Delivery, DeliveryChoice, OneOff, Schedule, TopicContent } from '../../model/schedule.ts';
import type { EntryRow, ScheduleTables } from './tables.ts';

export class TopicReader {
  readonly #db: Kysely<ScheduleTables>;
  readonly #ofTopic: CompiledQuery<EntryRow>;
  readonly #all: CompiledQuery<EntryRow>;
  readonly #names: CompiledQuery<{ name: string }>;

  constructor(db: Kysely<ScheduleTables>) {
    const entries = db.selectFrom('entry').selectAll();
    this.#db = db;
    this.#ofTopic = entries.where('topic', '=', '').orderBy('created').orderBy('id').compile();
    this.#all = entries.orderBy('topic').orderBy('created').orderBy('id').compile();
    this.#names = db.selectFrom('topic').select('name').orderBy('name').compile();
  }

  async read(topic: string): Promise<TopicContent> {
    const { rows } = await this.#db.executeQuery<EntryRow>({ ...this.#ofTopic, parameters: [topic] });
    return contentOf(topic, rows);
  }

  async all(): Promise<TopicContent[]> {
    const { rows } = await this.#db.executeQuery(this.#all);
    const byTopic = new Map<string, EntryRow[]>();
    for (const row of rows) {
      const others = byTopic.get(row.topic);
      if (others) others.push(row);
      else byTopic.set(row.topic, [row]);
    }
    return [...byTopic].map(([topic, entries]) => contentOf(topic, entries));
  }

  async topics(): Promise<string[]> {
    const { rows } = await this.#db.executeQuery(this.#names);
    return rows.map(({ name }) => name);
  }
}

function contentOf(topic: string, rows: readonly EntryRow[]): TopicContent {
  const schedules: Schedule[] = [];
  const pending: OneOff[] = [];
  for (const row of rows) {
    if (row.cron === null) pending.push(oneOffOf(row));
    else schedules.push(scheduleOf(row));
  }
  pending.sort((a, b) => (a.due < b.due ? -1 : 1));
  return { topic, schedules, pending };
}

export function scheduleOf(row: EntryRow): Schedule {
  const schedule: Schedule = {
    schedule_id: row.id,
    cron_expression: row.cron ?? '',
    timezone: row.timezone ?? 'UTC',
    status: row.paused === 1 ? 'paused' : 'active',
    label: row.label,
    notification_body: row.body,
    next_occurrence: row.next === null ? null : iso(row.next),
    last_occurrence: row.last === null ? null : iso(row.last),
    ...choiceOf(row),
  };
  const last = lastDelivery(row);
  if (last) schedule.last_delivery = last;
  return schedule;
}

export function oneOffOf(row: EntryRow): OneOff {
  const { last_status } = row;
  const oneOff: OneOff = {
    notification_id: row.id,
    notification_body: row.body,
    due: iso(row.next ?? row.last ?? row.created),
    status: last_status === 'failed' || last_status === 'missed' ? last_status : 'pending',
    ...choiceOf(row),
  };
  const last = lastDelivery(row);
  if (last) oneOff.last_delivery = last;
  return oneOff;
}

function choiceOf({ destination, tries }: EntryRow): DeliveryChoice {
  return { ...(destination !== null && { destination }), ...(tries !== null && { tries }) };
}

function lastDelivery(row: EntryRow): Delivery | undefined {
  if (row.last_status === null || row.last_at === null) return undefined;
  const delivery: Delivery = { status: row.last_status, at: iso(row.last_at) };
  if (row.last_reason !== null) delivery.reason = row.last_reason;
  if (row.last_again === 1) delivery.again = true;
  return delivery;
}

export function iso(moment: number): string {
  return new Date(moment).toISOString();
}
