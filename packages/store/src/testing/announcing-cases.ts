// The requirements of every engine for changes: which readers get them, when, and from which position.
import assert from 'node:assert/strict';
import { listTopics, liveServer } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { Recorder, put, textOf } from './notes.ts';
import { type StoreCase, storeCase } from './store-case.ts';

export const announcingCases: readonly StoreCase[] = [
  storeCase('announces after the commit, so that a reader can read the change', async (open) => {
    const [writer, other] = [await open(), await open()];
    for (const store of [writer, other]) {
      const seen = new Map<string, Promise<string | undefined>>();
      store.feed.follow({
        change: ({ topics: [id = ''] }) => void seen.set(id, textOf(store, id)),
        gap: () => undefined,
      });
      for (const id of ['a', 'b', 'c']) {
        await put(writer, id, `text of ${id}`);
        assert.equal(await eventually('the change', () => seen.get(id)), `text of ${id}`);
        await writer.write(({ db }) => db.deleteFrom('note').execute());
      }
    }
  }),
  storeCase('delivers a change to readers in this process before the write returns', async (open) => {
    const store = await open();
    const reader = new Recorder();
    store.feed.follow(reader);
    await put(store, 'a', 'one');
    assert.deepEqual(reader.topics, ['a']);
  }),
  storeCase('delivers changes to every store at the same place, in the order of commits', async (open) => {
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
  storeCase('announces a topic without state', async (open) => {
    const store = await open();
    const reader = new Recorder();
    store.feed.follow(reader);
    await store.feed.announce(['a', 'b']);
    await reader.sees('b');
    assert.deepEqual(reader.changes[0]?.topics, ['a', 'b']);
  }),
  storeCase('announces the list with the commit, and not without it', async (open) => {
    const store = await open();
    const reader = new Recorder();
    store.feed.follow(reader);
    const failing = store.write(async ({ listChanged }) => {
      listChanged();
      throw new Error('rolled back');
    });
    await assert.rejects(failing, /rolled back/);
    await store.write(async ({ announce, listChanged }) => {
      announce('a');
      listChanged();
    });
    await reader.sees('a');
    assert.deepEqual(reader.topics, ['a', listTopics.resources]);
  }),
  storeCase('refuses a topic that is no text, together with its write', async (open) => {
    const store = await open();
    const reader = new Recorder();
    store.feed.follow(reader);
    // Programs in plain JavaScript can pass null, which would make the outbox unreadable.
    const nothing = JSON.parse('null');
    const writing = store.write(async ({ db, announce }) => {
      await db.insertInto('note').values({ id: 'a', text: '' }).execute();
      announce(nothing);
    });
    await assert.rejects(writing, /A topic must be a text/);
    assert.equal(await textOf(store, 'a'), undefined);
    await store.write(async ({ announce }) => announce('after'));
    await reader.sees('after');
    assert.deepEqual(reader.topics, ['after']);
  }),
  storeCase('refuses announcements after the end of their write, which would reach no reader', async (open) => {
    const store = await open();
    const late: (() => void)[] = [];
    await store.write(async ({ announce, listChanged }) => void late.push(() => announce('late'), listChanged));
    for (const announce of late) assert.throws(announce, /after the write has ended/);
  }),
  storeCase('refuses a write inside a write, since each would wait for the other', async (open) => {
    const store = await open();
    const write = (id: string) =>
      store.write(async ({ db }) => void (await db.insertInto('note').values({ id, text: '' }).execute()));
    await assert.rejects(
      store.write(() => write('inner')),
      /inside another write/,
    );
    let after: Promise<void> | undefined;
    let committed: () => void = () => undefined;
    const commit = new Promise<void>((resolve) => (committed = resolve));
    // Work that a write has started, and that continues after its commit, may write.
    await store.write(async () => {
      after = commit.then(() => write('after'));
    });
    committed();
    await after;
    assert.deepEqual([await textOf(store, 'inner'), await textOf(store, 'after')], [undefined, '']);
  }),
  storeCase('refuses announcements inside a write, except those through the write', async (open) => {
    const store = await open();
    const server = liveServer({ name: 'notes', version: '1.0.0', feed: store.feed });
    const note = server.resource('note://{id}', { read: () => '' });
    const reader = new Recorder();
    store.feed.follow(reader);
    const early = [
      () => server.listChanged(),
      () => server.announce('a'),
      () => note.changed({ id: 'a' }),
      () => note.added({ id: 'a' }),
    ];
    for (const announce of early) {
      const writing = store.write(async ({ db }) => {
        await db.insertInto('note').values({ id: 'a', text: '' }).execute();
        announce();
      });
      await assert.rejects(writing, /before it has committed/);
      assert.equal(await textOf(store, 'a'), undefined);
    }
    // After the commit they are allowed, also in work that the write has started.
    let later: Promise<void> | undefined;
    let committed: () => void = () => undefined;
    const commit = new Promise<void>((resolve) => (committed = resolve));
    await store.write(async () => {
      later = commit.then(() => server.announce('later'));
    });
    committed();
    await later;
    await reader.sees('later');
    assert.deepEqual(reader.topics, ['later']);
    await server.close();
  }),
  storeCase('merges what one transaction announces twice', async (open) => {
    const store = await open();
    const reader = new Recorder();
    store.feed.follow(reader);
    await store.write(async ({ announce }) => announce('a', 'b', 'a'));
    await reader.sees('a');
    assert.deepEqual(reader.topics, ['a', 'b']);
  }),
  storeCase('keeps its state and its position for the next start', async (open) => {
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
  storeCase('reports a gap to a reader whose position was cleared', async (open) => {
    const store = await open({ keepChanges: 10 });
    const first = new Recorder();
    store.feed.follow(first);
    await put(store, 'first', 'x');
    for (let n = 0; n < 300; n += 1) await store.write(async ({ announce }) => announce(`n${n}`));
    await first.sees('n299');
    const late = new Recorder();
    store.feed.follow(late, first.changes[0]?.cursor);
    await eventually('a gap', () => late.gaps > 0);
    assert.equal(first.gaps, 0);
    await put(store, 'later', 'x');
    await late.sees('later');
    assert.equal(late.gaps, 1);
  }),
  storeCase('reports a gap to a reader with an invalid position', async (open) => {
    const store = await open();
    const positions = ['', 'elsewhere', '5', '5.5', '7.7@9:3:', '7.7@3:9:3,3', '99999999999999999999.1'];
    const readers = positions.map((position) => {
      const reader = new Recorder();
      store.feed.follow(reader, position);
      return reader;
    });
    await eventually('a gap for each', () => readers.every(({ gaps }) => gaps === 1));
    await put(store, 'a', 'one');
    for (const reader of readers) await reader.sees('a');
  }),
  storeCase('delivers nothing to a reader that has left, not even earlier changes', async (open) => {
    const store = await open();
    const [stays, leaves, asked] = [new Recorder(), new Recorder(), new Recorder()];
    store.feed.follow(stays);
    await put(store, 'a', 'one');
    await put(store, 'b', 'two');
    store.feed.follow(leaves)();
    const [pushed, pushes] = [new Recorder(), once()];
    store.feed.follow({ change: () => void (pushes() && push()), gap: () => undefined });
    const push = store.feed.follow(pushed);
    const leave = store.feed.follow(asked, stays.changes[0]?.cursor);
    const before = asked.topics.length;
    leave();
    await put(store, 'c', 'three');
    await stays.sees('c');
    assert.deepEqual([...leaves.topics, ...pushed.topics], []);
    assert.equal(asked.topics.length, before);
  }),
  storeCase('delivers a change to the other readers when one throws, and the write succeeds', async (open) => {
    const store = await open();
    const fail = () => {
      throw new Error('a bad reader');
    };
    store.feed.follow({ change: fail, gap: fail });
    store.feed.follow({ change: fail, gap: fail }, 'nowhere');
    const reader = new Recorder();
    store.feed.follow(reader);
    await put(store, 'a', 'one');
    await put(store, 'b', 'two');
    assert.deepEqual(reader.topics, ['a', 'b']);
  }),
  storeCase('lets a reader follow and write during a delivery', async (open) => {
    const store = await open();
    const [inner, outer] = [new Recorder(), new Recorder()];
    const isFirst = once();
    store.feed.follow({
      change: () => {
        if (!isFirst()) return;
        store.feed.follow(inner);
        void store.feed.announce(['from within']);
      },
      gap: () => undefined,
    });
    store.feed.follow(outer);
    await put(store, 'a', 'one');
    await inner.sees('from within');
    await outer.sees('from within');
    assert.deepEqual(outer.topics, ['a', 'from within']);
  }),
  storeCase('carries topics of any text and number', async (open) => {
    const [store, other] = [await open(), await open()];
    const odd = ['', ' ', '\u0000', 'a\u0000b', '\uD800', '\u{1F514}', 'e\u0301', "'; drop table note --", '\n', '"\\'];
    const many = Array.from({ length: 10_000 }, (_, n) => `schedules:topic-${n}`);
    const reader = new Recorder();
    other.feed.follow(reader);
    await store.write(async ({ announce }) => announce(...odd));
    await store.write(async ({ announce }) => announce(...many));
    await reader.sees('schedules:topic-9999');
    assert.deepEqual(reader.topics, [...odd, ...many]);
  }),
  storeCase('delivers changes during a reading transaction', async (open) => {
    const [store, other] = [await open(), await open()];
    const reader = new Recorder();
    store.feed.follow(reader);
    await store.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('note').selectAll().execute();
      await put(store, 'a', 'one');
      await put(other, 'b', 'two');
      await reader.sees('b');
    });
    assert.deepEqual(reader.topics, ['a', 'b']);
  }),
];

function once(): () => boolean {
  let isFirst = true;
  return () => {
    const was = isFirst;
    isFirst = false;
    return was;
  };
}
