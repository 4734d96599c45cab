// A database file that is deleted or replaced while a store has it open. SQLite itself would continue writing to a
// file that other processes cannot open.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { type Store, openStore } from '@tidings/store';
import { type NoteTables, noteMigrations, put, textOf } from '@tidings/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshFolder } from './places.ts';

interface Opened {
  store: Store<NoteTables>;
  gaps: () => number;
  errors: string[];
}

async function open(folder: string): Promise<Opened> {
  const errors: string[] = [];
  const log = { warn: () => undefined, error: (_fields: object, message: string) => void errors.push(message) };
  const store = await openStore<NoteTables>(folder, { name: 'notes', migrations: noteMigrations, log });
  onTestFinished(() => store.close());
  let gaps = 0;
  store.feed.follow({ change: () => undefined, gap: () => void (gaps += 1) });
  return { store, gaps: () => gaps, errors };
}

const ways: Record<string, (folder: string) => void> = {
  'its file is deleted': (folder) => rmSync(join(folder, 'notes.db')),
  'its file is moved away': (folder) => renameSync(join(folder, 'notes.db'), join(folder, 'elsewhere.db')),
  'its log is deleted': (folder) => rmSync(join(folder, 'notes.db-wal')),
  'its folder is deleted': (folder) => rmSync(folder, { recursive: true }),
};

describe('a store that is open', () => {
  for (const [name, takeAway] of Object.entries(ways)) {
    it(`says so by itself when ${name}`, async () => {
      const folder = await freshFolder();
      const { store, gaps, errors } = await open(folder);
      await put(store, 'a', 'one');
      takeAway(folder);
      await eventually('a gap', () => gaps() > 0);
      expect(errors).toEqual(['The database file was moved or deleted.']);
      const refusal = { code: 'DATABASE_ERROR', message: expect.stringMatching(/deleted or replaced/) };
      await expect(textOf(store, 'a')).rejects.toMatchObject(refusal);
      await expect(put(store, 'b', 'two')).rejects.toMatchObject(refusal);
    });
  }

  it('acknowledges no write to a file that was replaced, and does not change the new one', async () => {
    const folder = await freshFolder();
    const { store } = await open(folder);
    await put(store, 'a', 'one');
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `notes.db${end}`));
    const next = await open(folder);
    await put(next.store, 'b', 'two');
    await expect(put(store, 'c', 'three')).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
    await store.close();
    await put(next.store, 'd', 'four');
    await next.store.close();
    const { store: last } = await open(folder);
    const ids = (await last.db.selectFrom('note').select('id').execute()).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['b', 'd']);
  });

  it('continues when the file that wakes other processes is deleted', async () => {
    const folder = await freshFolder();
    const [one, two] = [await open(folder), await open(folder)];
    const seen: string[] = [];
    two.store.feed.follow({ change: ({ topics }) => void seen.push(...topics), gap: () => undefined });
    rmSync(join(folder, 'notes.db-wake'));
    for (const id of ['a', 'b', 'c']) {
      await put(one.store, id, 'x');
      await eventually('the change', () => seen.includes(id));
    }
  });
});
