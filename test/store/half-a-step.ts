// A migration that is killed halfway, on any engine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Migration, type Store, openStore } from '@tidings/store';
import { type NoteTables, noteMigrations, put, textOf } from '@tidings/store/testing';
import { expect, onTestFinished } from 'vitest';

export const colour: Migration = {
  name: 'colour',
  up: ({ run }) => run(`alter table note add column colour text default 'red'`),
};

export async function openNotes(place: string, migrations = noteMigrations): Promise<Store<NoteTables>> {
  const log = { warn: () => undefined, error: () => undefined };
  const store = await openStore<NoteTables>(place, { name: 'notes', migrations, log });
  onTestFinished(() => store.close());
  return store;
}

/** After the kill, the old schema and all notes are there, and the next start applies the migration. */
export async function survivesHalfAStep(place: string): Promise<void> {
  const before = await openNotes(place);
  await put(before, 'a', 'one');
  await before.close();
  await killHalfway(place);
  const old = await openNotes(place);
  expect(await textOf(old, 'a')).toBe('one');
  await put(old, 'b', 'two');
  await old.close();
  const newer = await openNotes(place, [...noteMigrations, colour]);
  expect(await textOf(newer, 'a')).toBe('one');
  expect(await textOf(newer, 'b')).toBe('two');
}

async function killHalfway(place: string): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('migration-child.js', import.meta.url)), place]);
  const halfway = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  expect(String(halfway[0])).toBe('halfway\n');
  child.kill('SIGKILL');
  await once(child, 'close');
}
