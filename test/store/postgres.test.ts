// The store in PostgreSQL: the suite of every engine, and PostgreSQL's own cases. It numbers changes before they
// commit: none may be skipped because of that, and readers do not wait for a slow transaction.
import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { Recorder, put, storeCases } from '@tidings/store/testing';
import { Client, Pool } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { kyselyOn } from '../../packages/store/src/postgres/dialect.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { openNotes, survivesHalfAStep } from './half-a-step.ts';

describeWith(postgresNeed, 'a store in PostgreSQL', () => {
  for (const { name, run } of storeCases) {
    it(name, () => run(async () => ({ place: await freshDatabase(), remove: () => Promise.resolve() })));
  }

  async function connect(place: string): Promise<Client> {
    const client = new Client(place);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  it('takes a burst of queries that lasts longer than the time limit of a connection', async () => {
    const pool = new Pool({ connectionString: await freshDatabase(), max: 2 });
    onTestFinished(() => pool.end());
    const db = kyselyOn<unknown>(pool, 'the database', systemClock);
    const query = (seconds: number) =>
      db.selectNoFrom((eb) => eb.fn('pg_sleep', [eb.val(seconds)]).as('slept')).execute();
    // The limit also holds for opening a connection, so both are opened before.
    await Promise.all([query(0), query(0)]);
    pool.options.connectionTimeoutMillis = 20;
    // Two at once, five times the limit in all.
    const burst = await Promise.allSettled(Array.from({ length: 10 }, () => query(0.02)));
    expect(burst.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('delivers a slow transaction after its commit, though its number is smaller', async () => {
    const place = await freshDatabase();
    const [store, other] = [await openNotes(place), await openNotes(place)];
    const [own, elsewhere] = [new Recorder(), new Recorder()];
    store.feed.follow(own);
    other.feed.follow(elsewhere);
    await put(store, 'before', 'x');

    const slow = await connect(place);
    await slow.query('begin');
    await slow.query(`insert into tidings_notes.outbox (topics) values ('["slow"]')`);
    for (let n = 0; n < 20; n += 1) await put(store, `quick ${n}`, 'x');
    await elsewhere.sees('quick 19');
    expect(own.topics).not.toContain('slow');
    const cursor = elsewhere.changes.at(-1)?.cursor;
    await slow.query('commit');

    const later = new Recorder();
    store.feed.follow(later, cursor);
    for (const reader of [own, elsewhere, later]) await reader.sees('slow');
    await put(store, 'after', 'x');
    await later.sees('after');
    const quick = Array.from({ length: 20 }, (_, n) => `quick ${n}`);
    expect(own.topics).toEqual(['before', ...quick, 'slow', 'after']);
    expect(new Set(later.topics)).toEqual(new Set(['slow', 'after']));
  });

  it('does not wait for an unrelated transaction', async () => {
    const [place, neighbour] = [await freshDatabase(), await freshDatabase()];
    const [store, other] = [await openNotes(place), await openNotes(place)];
    const reader = new Recorder();
    other.feed.follow(reader);
    for (const where of [place, neighbour]) {
      const idle = await connect(where);
      await idle.query('begin');
      await idle.query('select pg_current_xact_id()');
    }
    await put(store, 'a', 'one');
    await reader.sees('a');
    expect(reader.topics).toEqual(['a']);
    // Nor does a node that starts meanwhile.
    const third = await openNotes(place);
    await put(third, 'b', 'two');
    await reader.sees('b');
  });

  it('reports a gap when the database was restored to an earlier state, and continues', async () => {
    const place = await freshDatabase();
    const [store, other] = [await openNotes(place), await openNotes(place)];
    const [reader, late] = [new Recorder(), new Recorder()];
    other.feed.follow(reader);
    for (const id of ['a', 'b', 'c']) await put(store, id, 'x');
    await reader.sees('c');
    const cursor = reader.changes.at(-1)?.cursor;
    const restore = await connect(place);
    await restore.query(`delete from tidings_notes.outbox where seq > 1`);
    await restore.query(`select setval('tidings_notes.outbox_seq_seq', 1)`);
    for (const id of ['d', 'e', 'f']) await put(store, id, 'x');
    await eventually('a gap', () => reader.gaps > 0);
    other.feed.follow(late, cursor);
    await eventually('a gap', () => late.gaps > 0);
    await put(store, 'g', 'x');
    await reader.sees('g');
    await late.sees('g');
    expect(reader.gaps).toBe(1);
  });

  it('repeats a transaction that ended in a deadlock', async () => {
    const store = await openNotes(await freshDatabase());
    for (const id of ['a', 'b']) await put(store, id, 'before');
    let holding = 0;
    const change = (first: string, second: string) =>
      store.write(async ({ db, announce }) => {
        const update = (id: string) => db.updateTable('note').set({ text: 'after' }).where('id', '=', id).execute();
        await update(first);
        holding += 1;
        await eventually('both to hold a row', () => holding >= 2);
        await update(second);
        announce(first);
      });
    await Promise.all([change('a', 'b'), change('b', 'a')]);
    // One repetition for each deadlock; there may be several.
    expect(holding).toBeGreaterThanOrEqual(3);
  });

  it('has the old schema after a killed migration, and the next start applies it', async () => {
    await survivesHalfAStep(await freshDatabase());
  });
});
