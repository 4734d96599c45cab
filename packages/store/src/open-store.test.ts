import { expect, it } from 'vitest';
import { openStore } from './open-store.ts';

it.each<[unknown, unknown, string]>([
  [undefined, { name: 'notes', migrations: [] }, 'The place of a store must be a text'],
  ['data', undefined, 'openStore needs an object of options'],
  ['data', { migrations: [] }, 'openStore needs "name"'],
  ['data', { name: 'notes' }, 'openStore needs "migrations": a list'],
  ['data', { name: 'notes', migrations: {} }, 'openStore: "migrations" must be a list, and is {}'],
  ['data', { name: 'notes', migrations: [{ name: 'a' }] }, 'Migration 1 of openStore needs "up": a function'],
  ['data', { name: 'notes', migrations: [{ up: () => undefined }] }, 'Migration 1 of openStore needs "name"'],
  ['data', { name: 'my/notes', migrations: [] }, '"name" must be a text of letters, digits, "-" and "_"'],
  [
    'mysql://user:secret@db/x',
    { name: 'notes', migrations: [] },
    'a data folder or a postgres:// URL, and not mysql://',
  ],
  ['file:///var/notes', { name: 'notes', migrations: [] }, 'a data folder or a postgres:// URL, and not file://'],
  ['data', { name: 'notes', migrations: [], keepChange: 5 }, 'did you mean "keepChanges"?'],
  ['data', { name: 'notes', migrations: [], keepChanges: -1 }, '"keepChanges" must be a whole number'],
])('refuses options that cannot be right: %j, %j', async (place, options, message) => {
  await expect(Reflect.apply(openStore, undefined, [place, options])).rejects.toThrow(message);
});
