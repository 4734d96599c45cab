// The common part of both engines' transactions: the caller's work, then one row for everything it announced.
import { listTopics } from '@tidings/live';
import { aString, checkValue } from '@tidings/live/internal';
import type { Transaction } from 'kysely';
import type { Writing } from './store.ts';

export type Work<Tables, T> = (transaction: Writing<Tables>) => Promise<T>;

interface WorkParts<Tables> {
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
  let isOver = false;
  const announce = (...more: string[]) => {
    // A forgotten `await`: the announcement would be lost.
    if (isOver)
      throw new Error(`"${more.join('", "')}" was announced after the write has ended: await what announces it.`);
    for (const topic of more) {
      checkValue('A topic', topic, aString);
      topics.add(topic);
    }
  };
  try {
    const result = await work({ db, runEach, announce, listChanged: () => announce(listTopics.resources) });
    isOver = true;
    if (topics.size > 0) await publish([...topics]);
    return result;
  } finally {
    isOver = true;
  }
}
