// Compares notes and outbox: each write of note-child.js is complete and announced once, or absent.
import assert from 'node:assert/strict';
import { openStore } from '@tidings/store';
import { type NoteTables, noteMigrations } from '@tidings/store/testing';
import { z } from 'zod';

interface Tables extends NoteTables {
  outbox: { seq: number; topics: string };
}

/** Opens the store like a restarted process and returns the ids of all written notes. */
export async function agreedIds(place: string): Promise<Set<string>> {
  const store = await openStore<Tables>(place, { name: 'notes', migrations: noteMigrations });
  try {
    const notes = (await store.db.selectFrom('note').select('id').execute()).map(({ id }) => id);
    const outbox = await store.db.selectFrom('outbox').select('topics').execute();
    const announced = outbox.flatMap(({ topics }) => z.array(z.string()).parse(JSON.parse(topics)));
    const ids = notes.filter((id) => !id.endsWith('+'));
    const secondHalves = notes.filter((id) => id.endsWith('+')).map((id) => id.slice(0, -1));
    assert.deepEqual(secondHalves.toSorted(), ids.toSorted());
    assert.deepEqual(announced.toSorted(), ids.toSorted());
    return new Set(ids);
  } finally {
    await store.close();
  }
}

export function assertIncludes(all: ReadonlySet<string>, some: Iterable<string>): void {
  assert.deepEqual(
    [...some].filter((id) => !all.has(id)),
    [],
  );
}
