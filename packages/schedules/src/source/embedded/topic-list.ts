// The topics that have entries. A change that adds or removes a topic announces the list.
import { listTopics } from '@tidings/live';
import { pruneHistory } from './history.ts';
import type { ScheduleWriting } from './tables.ts';

export async function enterTopic({ db, announce }: ScheduleWriting, name: string): Promise<void> {
  const { entries } = await db
    .insertInto('topic')
    .values({ name, entries: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((row) => ({ entries: row('topic.entries', '+', 1) })))
    .returning('entries')
    .executeTakeFirstOrThrow();
  if (entries === 1) announce(listTopics.resources);
}

export async function leaveTopic(writing: ScheduleWriting, name: string): Promise<void> {
  const { db, announce } = writing;
  const { entries } = await db
    .updateTable('topic')
    .set((row) => ({ entries: row('entries', '-', 1) }))
    .where('name', '=', name)
    .returning('entries')
    .executeTakeFirstOrThrow();
  if (entries > 0) return;
  await db.deleteFrom('topic').where('name', '=', name).execute();
  announce(listTopics.resources);
  await pruneHistory(writing);
}
