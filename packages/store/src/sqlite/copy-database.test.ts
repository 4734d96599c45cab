import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventLoopTurn } from '@tidings/live/time';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { copyDatabases } from './copy-database.ts';

it('copies the state in which it began, and so does not begin again with each commit', async ({ signal }) => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-copy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const copies = join(folder, 'copies');
  const database = new DatabaseSync(join(folder, 'notes.db'));
  database.exec('pragma journal_mode = wal; create table note (text); insert into note values (zeroblob(4000000))');
  const copied: string[] = [];
  const copying = copyDatabases(folder, copies).then((names) => copied.push(...names));
  while (!existsSync(join(copies, 'notes.db')) && !signal.aborted) await eventLoopTurn();
  expect(copied).toEqual([]);
  while (copied.length === 0 && !signal.aborted) {
    database.exec(`insert into note values ('later')`);
    await eventLoopTurn();
  }
  await copying;
  database.close();
  expect(copied).toEqual(['notes.db']);
  const copy = new DatabaseSync(join(copies, 'notes.db'));
  expect(copy.prepare('select count(*) as notes from note').get()).toEqual({ notes: 1 });
  copy.close();
});
