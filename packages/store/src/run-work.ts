// What both engines do inside a transaction: the caller's work, then one row for all it announced.
import { listTopics } from '@tidings/live';
import type { Transaction } from 'kysely';
import type { Writing } from './store.ts';

export type Work<Tables, T> = (transaction: Writing<Tables>) => Promise<T>;

/** `publish` stores the topics in the outbox. */
export async function runWork<Tables, T>(
  db: Transaction<Tables>,
  work: Work<Tables, T>,
  publish: (topics: readonly string[]) => Promise<unknown>,
): Promise<T> {
  const topics = new Set<string>();
  const announce = (...more: string[]) => {
    for (const topic of more) topics.add(topic);
  };
  const result = await work({ db, announce, listChanged: () => announce(listTopics.resources) });
  if (topics.size > 0) await publish([...topics]);
  return result;
}
