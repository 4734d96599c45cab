// Migrations of a folder: interrupted ones, and the copy that is made first.
import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteMigrations, put } from '@tidings/store/testing';
import { describe, expect, it } from 'vitest';
import { colour, openNotes, survivesHalfAStep } from './half-a-step.ts';
import { freshFolder } from './places.ts';

describe('the schema of a folder', () => {
  it('is unchanged after a killed migration, and the next start applies it', async () => {
    await survivesHalfAStep(await freshFolder());
  });

  it('is copied completely before a migration, with any number of starting processes', async () => {
    const folder = await freshFolder();
    const old = await openNotes(folder);
    await put(old, 'a', 'one');
    await old.close();
    // The leftover of a start that was killed while copying.
    writeFileSync(join(folder, 'notes.db.before-colour.partial'), 'half a copy');
    const stores = await Promise.all([1, 2, 3].map(() => openNotes(folder, [...noteMigrations, colour])));
    await Promise.all(stores.map((store, n) => put(store, `after ${n}`, 'x')));

    expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual(['notes.db.before-colour']);
    const restored = await freshFolder();
    copyFileSync(join(folder, 'notes.db.before-colour'), join(restored, 'notes.db'));
    const store = await openNotes(restored);
    const ids = (await store.db.selectFrom('note').select('id').execute()).map(({ id }) => id);
    expect(ids).toEqual(['a']);
    await put(store, 'b', 'two');
  });

  it('is not copied without a pending migration', async () => {
    const folder = await freshFolder();
    await (await openNotes(folder)).close();
    await (await openNotes(folder)).close();
    expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([]);
  });

  it('is readable by its owner only, with all files beside it', async () => {
    const folder = join(await freshFolder(), 'made', 'for us');
    const first = await openNotes(folder);
    await put(first, 'a', 'one');
    await first.close();
    const store = await openNotes(folder, [...noteMigrations, colour]);
    await put(store, 'b', 'two');
    const permissions = (...path: string[]) => (statSync(join(folder, ...path)).mode & 0o777).toString(8);
    expect(permissions()).toBe('700');
    const names = readdirSync(folder).toSorted();
    expect(names).toEqual(['notes.db', 'notes.db-shm', 'notes.db-wake', 'notes.db-wal', 'notes.db.before-colour']);
    expect(names.map((name) => permissions(name))).toEqual(names.map(() => '600'));
  });
});
