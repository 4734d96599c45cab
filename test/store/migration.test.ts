// Steps of the schema that are interrupted, and the copy that is made before them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Migration, type Store, openStore } from '@tidings/store';
import { type NoteTables, noteMigrations, put, textOf } from '@tidings/store/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeWith } from '../support/needs.ts';
import { PostgresServer, postgresNeed } from '../support/postgres.ts';
import { freshFolder } from './places.ts';

const colour: Migration = {
  name: 'colour',
  up: ({ run }) => run(`alter table note add column colour text default 'red'`),
};

async function open(place: string, migrations = noteMigrations): Promise<Store<NoteTables>> {
  const store = await openStore<NoteTables>(place, { name: 'notes', migrations });
  onTestFinished(() => store.close());
  return store;
}

/** A process that has taken half a step when it is killed. */
async function killHalfway(place: string): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('migration-child.js', import.meta.url)), place]);
  const halfway = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  expect(String(halfway[0])).toBe('halfway\n');
  child.kill('SIGKILL');
  await once(child, 'close');
}

async function survivesHalfAStep(place: string): Promise<void> {
  const before = await open(place);
  await put(before, 'a', 'one');
  await before.close();
  await killHalfway(place);
  const old = await open(place);
  expect(await textOf(old, 'a')).toBe('one');
  await put(old, 'b', 'two');
  await old.close();
  const newer = await open(place, [...noteMigrations, colour]);
  expect(await textOf(newer, 'a')).toBe('one');
  expect(await textOf(newer, 'b')).toBe('two');
}

describe('the schema of a folder', () => {
  it('is as it was after a step that was killed, and takes it the next time', async () => {
    await survivesHalfAStep(await freshFolder());
  });

  it('is copied before a step, exactly as it was, however many start at the same time', async () => {
    const folder = await freshFolder();
    const old = await open(folder);
    await put(old, 'a', 'one');
    await old.close();
    // What a start that was killed while copying has left.
    writeFileSync(join(folder, 'notes.db.before-colour.partial'), 'half a copy');
    const stores = await Promise.all([1, 2, 3].map(() => open(folder, [...noteMigrations, colour])));
    await Promise.all(stores.map((store, n) => put(store, `after ${n}`, 'x')));

    expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual(['notes.db.before-colour']);
    const restored = await freshFolder();
    copyFileSync(join(folder, 'notes.db.before-colour'), join(restored, 'notes.db'));
    const store = await open(restored);
    const ids = (await store.db.selectFrom('note').select('id').execute()).map(({ id }) => id);
    expect(ids).toEqual(['a']);
    await put(store, 'b', 'two');
  });

  it('is not copied when there is nothing to do', async () => {
    const folder = await freshFolder();
    await (await open(folder)).close();
    await (await open(folder)).close();
    expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([]);
  });

  it('is for its owner only, with everything beside it', async () => {
    const folder = join(await freshFolder(), 'made', 'for us');
    const first = await open(folder);
    await put(first, 'a', 'one');
    await first.close();
    const store = await open(folder, [...noteMigrations, colour]);
    await put(store, 'b', 'two');
    const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
    const files = ['notes.db', 'notes.db-shm', 'notes.db-wake', 'notes.db-wal', 'notes.db.before-colour'];
    expect(modes.toSorted()).toEqual(files.map((name) => [name, '600']));
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  });
});

describeWith(postgresNeed, 'the schema in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(() => server.remove());

  it('is as it was after a step that was killed, and takes it the next time', async () => {
    await survivesHalfAStep(await server.createDatabase());
  });
});
