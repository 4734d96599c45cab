// What both engines do inside a transaction: the caller's work, then one row for all it announced.
import { listTopics } from '@tidings/live';
import type { Transaction } from 'kysely';
import type { Writing } from './store.ts';

export type Work<Tables, T> = (transaction: Writing<Tables>) => Promise<T>;

export interface WorkParts<Tables> {
  db: Transaction<Tables>;
  runEach: Writing<Tables>['runEach'];
  /** Stores the topics in the outbox. */
  publish(this: void, topics: readonly string[]): Promise<unknown>;
}

export async function runWork<Tables, T>(
  { db, runEach, publish }: WorkParts<Tables>,
  work: Work<Tables, T>,
): Promise<T> {
  const topics = new Set<string>();
  const announce = (...more: string[]) => {
    for (const topic of more) topics.add(topic);
  };
  const result = await work({ db, runEach, announce, listChanged: () => announce(listTopics.resources) });
  if (topics.size > 0) await publish([...topics]);
  return result;
}
