import { expect, it } from 'vitest';
import { openStore } from './open-store.ts';

it.each<[unknown, unknown, string]>([
  [undefined, { name: 'notes', migrations: [] }, 'The place of a store must be a text'],
  ['data', undefined, 'openStore needs an object of options'],
  ['data', { migrations: [] }, 'openStore needs "name"'],
  ['data', { name: 'notes' }, 'openStore needs "migrations": a list'],
  ['data', { name: 'notes', migrations: {} }, 'openStore: "migrations" must be a list, and is {}'],
  ['data', { name: 'notes', migrations: [], keepChange: 5 }, 'did you mean "keepChanges"?'],
  ['data', { name: 'notes', migrations: [], keepChanges: -1 }, '"keepChanges" must be a whole number'],
])('refuses options that cannot be right: %j, %j', async (place, options, message) => {
  await expect(Reflect.apply(openStore, undefined, [place, options])).rejects.toThrow(message);
});
