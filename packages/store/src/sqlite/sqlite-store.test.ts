import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { eventually } from '@tidings/live/testing';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../store.ts';
import { type NoteTables, noteMigrations, put, textOf } from '../testing/notes.ts';
import { storeCases } from '../testing/store-cases.ts';
import type { FlushFile } from './log-flush.ts';
import { openSqliteStore } from './sqlite-store.ts';

describe('a store in a folder', () => {
  for (const { name, run } of storeCases) {
    it(name, () =>
      run(async () => {
        const place = await mkdtemp(join(tmpdir(), 'tidings-store-'));
        return { place, remove: () => rm(place, { recursive: true }) };
      }),
    );
  }

  function freshFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'tidings-store-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }

  async function open(folder = freshFolder(), flushFile?: FlushFile): Promise<Store<NoteTables>> {
    const log = { warn: () => undefined, error: () => undefined };
    const options = { folder, name: 'notes', migrations: noteMigrations, log };
    const store = await openSqliteStore<NoteTables>({ ...options, ...(flushFile && { flushFile }) });
    onTestFinished(() => store.close());
    return store;
  }

  it('lets other events be handled between writes', async () => {
    const store = await open();
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 1);
    for (let n = 0; n < 100; n += 1) await put(store, `note ${n}`, 'x');
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(0);
  });

  it('acknowledges a write once the disk has it, with one flush for all waiting writes', async () => {
    const flushes: (() => void)[] = [];
    const store = await open(freshFolder(), () => new Promise((resolve) => void flushes.push(resolve)));
    const acknowledged: string[] = [];
    const write = (id: string) => put(store, id, 'x').then(() => void acknowledged.push(id));
    const first = write('a');
    await eventually('the first flush', () => flushes.length === 1);
    const later = [write('b'), write('c')];
    await eventually('the later commits', async () => (await textOf(store, 'c')) === 'x');
    expect([acknowledged, flushes.length]).toEqual([[], 1]);
    flushes[0]?.();
    await first;
    expect(acknowledged).toEqual(['a']);
    await eventually('the second flush', () => flushes.length === 2);
    flushes[1]?.();
    await Promise.all(later);
    expect([acknowledged, flushes.length]).toEqual([['a', 'b', 'c'], 2]);
  });

  it('does not acknowledge a write that the disk has not stored', async () => {
    let isFull = true;
    const store = await open(freshFolder(), async () => {
      if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    });
    await expect(put(store, 'a', 'x')).rejects.toMatchObject({
      code: 'DATABASE_ERROR',
      message: expect.stringContaining('power cut'),
    });
    isFull = false;
    await put(store, 'b', 'x');
  });

  it('waits for a program that locks the database, without blocking the process', async () => {
    const folder = freshFolder();
    const store = await open(folder);
    const program = new DatabaseSync(join(folder, 'notes.db'));
    program.exec('begin immediate');
    const writing = Promise.all(Array.from({ length: 50 }, (_, n) => put(store, `note ${n}`, 'x')));
    let ticks = 0;
    await new Promise<void>((resolve) => {
      const ticking = setInterval(() => {
        ticks += 1;
        if (ticks < 20) return;
        clearInterval(ticking);
        resolve();
      }, 1);
    });
    program.exec('commit');
    program.close();
    await writing;
    expect(await textOf(store, 'note 49')).toBe('x');
  });

  it('cannot be changed through the reading connection', async () => {
    const store = await open();
    const changing = store.db.insertInto('note').values({ id: 'a', text: 'one' }).execute();
    await expect(changing).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
  });

  it('refuses writes that do not fit, keeps earlier ones, and continues when there is space', async () => {
    const store = await open();
    const limit = (pages: number) =>
      store.write(async ({ db }) => void (await sql.raw(`pragma max_page_count = ${pages}`).execute(db)));
    const seen: string[] = [];
    store.feed.follow({ change: ({ topics }) => void seen.push(...topics), gap: () => undefined });
    await limit(30);
    const tooMuch = store.write(async ({ db, announce }) => {
      for (let n = 0; n < 100; n += 1)
        await db
          .insertInto('note')
          .values({ id: `note ${n}`, text: 'x'.repeat(4000) })
          .execute();
      announce('too much');
    });
    await expect(tooMuch).rejects.toMatchObject({
      code: 'DATABASE_ERROR',
      message: expect.stringMatching(/disk is full/),
    });
    expect(await store.db.selectFrom('note').selectAll().execute()).toEqual([]);
    await put(store, 'small', 'enough');
    await limit(100_000);
    await put(store, 'large', 'x'.repeat(400_000));
    expect(seen).toEqual(['small', 'large']);
  });

  it('reports a gap to a reader whose position is from before a restore', async () => {
    const [folder, restored] = [freshFolder(), freshFolder()];
    const store = await open(folder);
    const cursors: string[] = [];
    store.feed.follow({ change: ({ cursor }) => void cursors.push(cursor), gap: () => undefined });
    await put(store, 'a', 'one');
    await store.close();
    copyFileSync(join(folder, 'notes.db'), join(restored, 'notes.db'));
    const again = await open(folder);
    again.feed.follow({ change: ({ cursor }) => void cursors.push(cursor), gap: () => undefined });
    await put(again, 'b', 'two');

    const other = await open(restored);
    for (const id of ['c', 'd', 'e']) await put(other, id, 'x');
    const told: string[] = [];
    const reader = {
      change: ({ topics }: { topics: readonly string[] }) => void told.push(...topics),
      gap: () => told.push('gap'),
    };
    other.feed.follow(reader, cursors[0])();
    expect(told.splice(0)).toEqual(['c', 'd', 'e']);
    other.feed.follow(reader, cursors[1])();
    expect(told).toEqual(['gap']);
  });

  it('omits no commit of another process for a reader that begins during a long delivery', async () => {
    const folder = freshFolder();
    const store = await open(folder);
    const other = new DatabaseSync(join(folder, 'notes.db'));
    onTestFinished(() => other.close());
    const announce = other.prepare('insert into outbox (topics, at) values (?, 0)');
    const commit = (topic: string) => void announce.run(JSON.stringify([topic]));
    const seen: string[] = [];
    const nothing = () => undefined;
    const late = { change: ({ topics }: { topics: readonly string[] }) => void seen.push(...topics), gap: nothing };
    let isFirst = true;
    const change = () => {
      if (!isFirst) return;
      isFirst = false;
      store.feed.follow(late);
      commit('later');
    };
    store.feed.follow({ change, gap: nothing });
    other.exec('begin immediate');
    for (let n = 0; n < 600; n += 1) commit(`${n}`);
    other.exec('commit');
    // Delivers at once.
    store.feed.follow({ change: nothing, gap: nothing })();
    expect(seen).toContain('later');
  });

  it('leaves all data in the one file when it is closed', async () => {
    const folder = freshFolder();
    const store = await open(folder);
    for (let n = 0; n < 100; n += 1) await put(store, `note ${n}`, 'x');
    await store.close();
    expect(statSync(join(folder, 'notes.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });
});
