// The requirements of every engine for state and schema.
import assert from 'node:assert/strict';
import { LiveError } from '@tidings/live';
import { sql } from 'kysely';
import { RowStatement } from '../row-statement.ts';
import type { Migration } from '../store.ts';
import { noteMigrations, put, putNote, textOf, Recorder } from './notes.ts';
import { type StoreCase, storeCase } from './store-case.ts';

export const stateCases: readonly StoreCase[] = [
  storeCase('reads a write only after its commit', async (open) => {
    const store = await open();
    await store.write(async ({ db }) => {
      await putNote(db, 'a', 'one');
      assert.equal(await textOf(store, 'a'), undefined);
    });
    assert.equal(await textOf(store, 'a'), 'one');
  }),
  storeCase('rolls back a failed transaction with its announcements', async (open) => {
    const store = await open();
    const reader = new Recorder();
    store.feed.follow(reader);
    const failing = store.write(async ({ db, announce }) => {
      await putNote(db, 'a', 'one');
      announce('a');
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, { message: 'changed my mind' });
    await put(store, 'b', 'two');
    await reader.sees('b');
    assert.deepEqual(reader.topics, ['b']);
    assert.equal(await textOf(store, 'a'), undefined);
  }),
  storeCase('commits all of many concurrent writes', async (open) => {
    const store = await open();
    const ids = Array.from({ length: 200 }, (_, n) => `n${n}`);
    await Promise.all(ids.map((id) => put(store, id, 'x')));
    const rows = await store.db.selectFrom('note').select('id').execute();
    assert.equal(rows.length, ids.length);
  }),
  storeCase('runs a statement for each list of parameters, in order, as part of the transaction', async (open) => {
    const store = await open();
    const query = store.db
      .insertInto('note')
      .values({ id: '', text: '' })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning(['id', 'text'])
      .compile();
    const lists = Array.from({ length: 50 }, (_, n) => [`n${n % 40}`, `text ${n}`]);
    const results = await store.write(({ runEach }) => runEach(query, lists));
    assert.deepEqual(
      results.map(({ rows }) => rows.map(({ id, text }) => [id, text])),
      lists.map((list, n) => (n < 40 ? [list] : [])),
    );
    const failing = store.write(async ({ runEach }) => {
      await runEach(query, [['other', 'x']]);
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, { message: 'changed my mind' });
    assert.equal(await textOf(store, 'other'), undefined);
    assert.equal(await textOf(store, 'n39'), 'text 39');
  }),
  storeCase('inserts any number of rows, with the clause after them', async (open) => {
    const store = await open();
    const notes = new RowStatement(store, {
      into: 'note',
      columns: ['id', 'text'],
      ending: sql`on conflict (id) do update set text = excluded.text`,
    });
    for (const count of [0, 1, 120]) {
      const rows = Array.from({ length: count }, (_, n) => [`n${n}`, `text ${count}`]);
      await store.write((writing) => notes.run(writing, rows));
      assert.deepEqual(
        await store.db.selectFrom('note').select(['id', 'text']).execute().then(byId),
        byId(rows.map(([id = '', text = '']) => ({ id, text }))),
      );
    }
  }),
  storeCase('throws the original error of an invalid statement, and continues', async (open) => {
    const store = await open();
    await put(store, 'a', 'one');
    const again = store.write(({ db }) => db.insertInto('note').values({ id: 'a', text: 'two' }).execute());
    await assert.rejects(again, (error) => !(error instanceof LiveError));
    await put(store, 'a', 'three');
    assert.equal(await textOf(store, 'a'), 'three');
  }),
  storeCase('finishes running writes when it is closed, and then refuses others', async (open) => {
    const store = await open();
    const reopened = await open();
    let goOn: () => void = () => undefined;
    const pause = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const writing = store.write(async ({ db, announce }) => {
      await putNote(db, 'a', 'one');
      await pause;
      await putNote(db, 'b', 'two');
      announce('b');
    });
    const closing = Promise.all([store.close(), store.close()]);
    const late = put(store, 'c', 'three');
    await assert.rejects(late, isClosed);
    goOn();
    await writing;
    await closing;
    await assert.rejects(put(store, 'd', 'four'), isClosed);
    await assert.rejects(textOf(store, 'a'), isClosed);
    assert.equal(await textOf(reopened, 'b'), 'two');
    assert.equal(await textOf(reopened, 'c'), undefined);
  }),
  storeCase('migrates once, however many start at the same time', async (open) => {
    const stores = await Promise.all([open(), open(), open()]);
    await Promise.all(stores.map((store, n) => put(store, `n${n}`, 'x')));
    assert.equal(await textOf(stores[0], 'n2'), 'x');
  }),
  storeCase('applies later steps, and keeps the data', async (open) => {
    const old = await open();
    await put(old, 'a', 'one');
    await old.close();
    const more: Migration = {
      name: 'colour',
      up: ({ run }) => run(`alter table note add column colour text default 'red'`),
    };
    const newer = await open({ migrations: [...noteMigrations, more] });
    assert.equal(await textOf(newer, 'a'), 'one');
  }),
  storeCase('refuses a schema with a migration that the program lacks', async (open) => {
    const more: Migration = { name: 'from the future', up: () => Promise.resolve() };
    await open({ migrations: [...noteMigrations, more] });
    await assert.rejects(open(), (error) => {
      assert.ok(error instanceof LiveError);
      assert.equal(error.code, 'DATABASE_ERROR');
      assert.match(error.message, /newer version.*from the future/);
      return true;
    });
  }),
  storeCase('rolls back all of a migration that fails', async (open) => {
    const half: Migration = {
      name: 'half',
      up: async ({ run }) => {
        await run('create table other (id text)');
        throw new Error('stopped in the middle');
      },
    };
    await assert.rejects(open({ migrations: [...noteMigrations, half] }), { message: 'stopped in the middle' });
    const store = await open();
    await put(store, 'a', 'one');
  }),
];

function isClosed(error: unknown): boolean {
  return error instanceof LiveError && error.code === 'DATABASE_ERROR' && /closed/.test(error.message);
}

function byId(rows: readonly { id: string; text: string }[]): Map<string, string> {
  return new Map(rows.map(({ id, text }) => [id, text]));
}
