// What every engine must do, as cases for any test runner:
// `for (const { name, run } of storeCases) it(name, () => run(openPlace))`.
import assert from 'node:assert/strict';
import { type Change, type ChangeReader, LiveError } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { openStore } from '../open-store.ts';
import type { Migration, Store } from '../store.ts';

/** A fresh place (a folder, a database) that several stores can be opened at. */
export type OpenPlace = () => Promise<{ place: string; remove: () => Promise<void> }>;

export interface StoreCase {
  name: string;
  run(this: void, open: OpenPlace): Promise<void>;
}

export interface NoteTables {
  note: { id: string; text: string };
}

export const noteMigrations: readonly Migration[] = [
  { name: 'notes', up: ({ run }) => run('create table note (id text primary key, text text not null)') },
];

type NoteStore = Store<NoteTables>;

class Recorder implements ChangeReader {
  readonly topics: string[] = [];
  readonly changes: Change[] = [];
  gaps = 0;

  change(change: Change): void {
    this.changes.push(change);
    this.topics.push(...change.topics);
  }

  gap(): void {
    this.gaps += 1;
  }

  async sees(topic: string): Promise<void> {
    await eventually(`a change of ${topic}`, () => this.topics.includes(topic));
  }
}

export const storeCases: readonly StoreCase[] = [
  storeCase('reads what was written, and only once it has committed', async (open) => {
    const store = await open();
    await store.write(async ({ db }) => {
      await putNote(db, 'a', 'one');
      assert.equal(await textOf(store, 'a'), undefined);
    });
    assert.equal(await textOf(store, 'a'), 'one');
  }),
  storeCase('takes back a transaction that fails, with what it announced', async (open) => {
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
  storeCase('announces after the commit: whoever is told can read it', async (open) => {
    const [writer, other] = [await open(), await open()];
    for (const store of [writer, other]) {
      const seen: Promise<string | undefined>[] = [];
      store.feed.follow({ change: () => void seen.push(textOf(store, 'a')), gap: () => undefined });
      for (const text of ['1', '2', '3']) {
        await put(writer, 'a', text);
        await eventually('the change', () => seen.length === Number(text));
        assert.equal(await seen.at(-1), text);
      }
    }
  }),
  storeCase('tells readers in this process before the write returns', async (open) => {
    const store = await open();
    const reader = new Recorder();
    store.feed.follow(reader);
    await put(store, 'a', 'one');
    assert.deepEqual(reader.topics, ['a']);
  }),
  storeCase('tells every store at the same place, in the order of commits', async (open) => {
    const [one, two] = [await open(), await open()];
    const reader = new Recorder();
    two.feed.follow(reader);
    for (let n = 0; n < 50; n += 1) await put(one, `a${n}`, 'x');
    await reader.sees('a49');
    assert.deepEqual(
      reader.topics,
      Array.from({ length: 50 }, (_, n) => `a${n}`),
    );
  }),
  storeCase('loses no change of two that write at once', async (open) => {
    const [one, two] = [await open(), await open()];
    const reader = new Recorder();
    one.feed.follow(reader);
    const writing = [one, two].flatMap((store, which) =>
      Array.from({ length: 40 }, (_, n) => put(store, `${which}-${n}`, 'x')),
    );
    await Promise.all(writing);
    await eventually('every change', () => reader.topics.length >= 80);
    assert.equal(new Set(reader.topics).size, 80);
  }),
  storeCase('announces what has no state of its own', async (open) => {
    const store = await open();
    const reader = new Recorder();
    store.feed.follow(reader);
    await store.feed.announce(['a', 'b']);
    await reader.sees('b');
    assert.deepEqual(reader.changes[0]?.topics, ['a', 'b']);
  }),
  storeCase('merges what one transaction announces twice', async (open) => {
    const store = await open();
    const reader = new Recorder();
    store.feed.follow(reader);
    await store.write(async ({ announce }) => announce('a', 'b', 'a'));
    await reader.sees('a');
    assert.deepEqual(reader.topics, ['a', 'b']);
  }),
  storeCase('keeps its state and its place for the next start', async (open) => {
    const first = await open();
    const reader = new Recorder();
    first.feed.follow(reader);
    await put(first, 'a', 'one');
    await reader.sees('a');
    await put(first, 'b', 'two');
    await reader.sees('b');
    await first.close();
    const second = await open();
    assert.equal(await textOf(second, 'a'), 'one');
    const late = new Recorder();
    second.feed.follow(late, reader.changes[0]?.cursor);
    await late.sees('b');
    assert.equal(late.gaps, 0);
  }),
  storeCase('says a gap to a reader whose place was cleared away', async (open) => {
    const store = await open({ keepChanges: 10 });
    const first = new Recorder();
    store.feed.follow(first);
    await put(store, 'first', 'x');
    for (let n = 0; n < 600; n += 1) await store.write(async ({ announce }) => announce(`n${n}`));
    await first.sees('n599');
    const late = new Recorder();
    await eventually('a gap', () => {
      store.feed.follow(late, first.changes[0]?.cursor)();
      return late.gaps > 0;
    });
    assert.equal(first.gaps, 0);
  }),
  storeCase('migrates once, however many start at the same time', async (open) => {
    const stores = await Promise.all([open(), open(), open()]);
    await Promise.all(stores.map((store, n) => put(store, `n${n}`, 'x')));
    assert.equal(await textOf(stores[0], 'n2'), 'x');
  }),
  storeCase('takes later steps when they come, and keeps what is there', async (open) => {
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
  storeCase('refuses a schema it does not know', async (open) => {
    const more: Migration = { name: 'from the future', up: () => Promise.resolve() };
    await open({ migrations: [...noteMigrations, more] });
    await assert.rejects(open(), (error) => {
      assert.ok(error instanceof LiveError);
      assert.equal(error.code, 'DATABASE_ERROR');
      assert.match(error.message, /newer version.*from the future/);
      return true;
    });
  }),
  storeCase('takes back a migration that fails, whole', async (open) => {
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

interface CaseOptions {
  migrations?: readonly Migration[];
  keepChanges?: number;
}

type OpenNotes = (options?: CaseOptions) => Promise<NoteStore>;

function storeCase(name: string, test: (open: OpenNotes) => Promise<void>): StoreCase {
  const run = async (openPlace: OpenPlace) => {
    const { place, remove } = await openPlace();
    const stores: NoteStore[] = [];
    try {
      await test(async (options = {}) => {
        const log = { warn: () => undefined, error: () => undefined };
        const store = await openStore<NoteTables>(place, {
          name: 'notes',
          migrations: noteMigrations,
          log,
          ...options,
        });
        stores.push(store);
        return store;
      });
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await remove();
    }
  };
  return { name, run };
}

export async function put(store: NoteStore, id: string, text: string): Promise<void> {
  await store.write(async ({ db, announce }) => {
    await putNote(db, id, text);
    announce(id);
  });
}

async function putNote(db: NoteStore['db'], id: string, text: string): Promise<void> {
  await db
    .insertInto('note')
    .values({ id, text })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ text }))
    .execute();
}

export async function textOf(store: NoteStore | undefined, id: string): Promise<string | undefined> {
  const row = await store?.db.selectFrom('note').select('text').where('id', '=', id).executeTakeFirst();
  return row?.text;
}
