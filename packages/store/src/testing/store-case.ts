// One case of the suite: it gets stores at a fresh place, which are closed and removed afterwards.
import { openStore } from '../open-store.ts';
import type { Migration } from '../store.ts';
import { type NoteStore, type NoteTables, noteMigrations } from './notes.ts';

/** A fresh place (a folder, a database) that several stores can be opened at. */
export type OpenPlace = () => Promise<{ place: string; remove: () => Promise<void> }>;

export interface StoreCase {
  name: string;
  run(this: void, open: OpenPlace): Promise<void>;
}

interface CaseOptions {
  migrations?: readonly Migration[];
  keepChanges?: number;
}

type OpenNotes = (options?: CaseOptions) => Promise<NoteStore>;

export function storeCase(name: string, test: (open: OpenNotes) => Promise<void>): StoreCase {
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
