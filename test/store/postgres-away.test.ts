// A PostgreSQL that stops under load, and one that never ran.
import { LiveError } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { type Store, openStore } from '@tidings/store';
import { type NoteTables, noteMigrations, put, textOf } from '@tidings/store/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { PostgresServer, postgresNeed } from '../support/service/postgres.ts';
import { agreedIds, assertIncludes } from './agreement.ts';
import type { NoteProcess } from './note-process.ts';
import { noteProcess } from './places.ts';

describeWith(postgresNeed, 'a PostgreSQL that goes away', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.remove());

  async function open(place: string): Promise<Store<NoteTables>> {
    const log = { warn: () => undefined, error: () => undefined };
    const store = await openStore<NoteTables>(place, { name: 'notes', migrations: noteMigrations, log });
    onTestFinished(() => store.close());
    return store;
  }

  it('is written to and followed as before after a restart and after a crash', async () => {
    const place = await server.createDatabase();
    const follower = noteProcess(place);
    await follower.reports('ready');
    const writers = [noteProcess(place, { writes: 1_000_000 }), noteProcess(place, { writes: 1_000_000 })];
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      await goOn(writers, 'written');
      const pids = await processesOf(place);
      await server.down(signal);
      await goOn(writers, 'failed');
      // The processes of a crashed server end by themselves, and a new server waits for them.
      await eventually('the old server to be gone', () => !pids.some(isRunning));
      await server.up();
    }
    await goOn(writers, 'written');
    for (const writer of writers) await writer.stop();

    const ids = await agreedIds(place);
    assertIncludes(
      ids,
      writers.flatMap(({ written }) => written),
    );
    await follower.sees(ids);
    expect(new Set(follower.seen)).toEqual(ids);
    expect(follower.of('gap')).toEqual([]);
    for (const failed of writers.flatMap((writer) => writer.of('failed'))) {
      expect(failed).toMatchObject({ code: 'DATABASE_ERROR', message: expect.stringMatching(/^PostgreSQL at 127/) });
    }
    await follower.stop();
  }, 120_000);

  it('is compared with the outbox after a lost connection of the feed', async () => {
    const place = await server.createDatabase();
    const [store, other] = [await open(place), await open(place)];
    const seen: string[] = [];
    store.feed.follow({ change: ({ topics }) => void seen.push(...topics), gap: () => seen.push('gap') });
    for (let round = 0; round < 3; round += 1) {
      await cutConnections(place, `query ilike 'listen%' or query like '%pg_current_snapshot%'`);
      await put(other, `note ${round}`, 'x');
      await eventually('the change', () => seen.includes(`note ${round}`));
    }
    expect(seen).toEqual(['note 0', 'note 1', 'note 2']);
  });

  it('fails only the write whose connection is cut', async () => {
    const store = await open(await server.createDatabase());
    const place = await server.createDatabase();
    const victim = await open(place);
    const writing = victim.write(async ({ db }) => {
      await db.insertInto('note').values({ id: 'a', text: 'one' }).execute();
      // Between two queries, so no query fails because of it.
      await cutConnections(place, `state = 'idle in transaction'`);
      await db.insertInto('note').values({ id: 'b', text: 'two' }).execute();
    });
    await expect(writing).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
    expect(await textOf(victim, 'a')).toBeUndefined();
    await put(victim, 'c', 'three');
    await put(store, 'c', 'three');
  });

  it('is refused with a clear message while PostgreSQL is down', async () => {
    const url = await server.createDatabase();
    const refusals = {
      [url.replace(String(server.port), '1')]: /cannot be reached.*check that it runs/,
      [`${url}-not-made`]: /no such database/,
      [url.replace('postgres@', 'nobody-we-know@')]: /refused the user/,
      'postgres://%': /not the URL of a PostgreSQL database/,
    };
    for (const [place, message] of Object.entries(refusals)) {
      const error: unknown = await open(place).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(LiveError);
      expect(error).toMatchObject({ code: 'DATABASE_ERROR', message: expect.stringMatching(message) });
    }
  });

  it('can be closed while PostgreSQL is down', async () => {
    const place = await server.createDatabase();
    const store = await open(place);
    await server.down();
    await expect(put(store, 'a', 'one')).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
    await expect(textOf(store, 'a')).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
    await store.close();
    await server.up();
  });
});

/** Waits until each has reported ten more lines of this kind. */
async function goOn(writers: readonly NoteProcess[], kind: 'written' | 'failed'): Promise<void> {
  await Promise.all(writers.map((writer) => writer.reports(kind, writer.of(kind).length + 10)));
}

async function processesOf(place: string): Promise<number[]> {
  const client = new Client(place);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
  await client.end();
  return rows.map(({ pid }) => pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function cutConnections(place: string, which: string): Promise<void> {
  const client = new Client(place);
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and (${which})`,
  );
  await client.end();
  expect(rowCount).toBeGreaterThan(0);
}
