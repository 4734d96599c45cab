// A store of notes, for tests: its schema, how to write and read one, and a reader of its feed that remembers.
import type { Change, ChangeReader } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import type { Migration, Store } from '../store.ts';

export interface NoteTables {
  note: { id: string; text: string };
}

export type NoteStore = Store<NoteTables>;

export const noteMigrations: readonly Migration[] = [
  { name: 'notes', up: ({ run }) => run('create table note (id text primary key, text text not null)') },
];

export async function put(store: NoteStore, id: string, text: string): Promise<void> {
  await store.write(async ({ db, announce }) => {
    await putNote(db, id, text);
    announce(id);
  });
}

export async function putNote(db: NoteStore['db'], id: string, text: string): Promise<void> {
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

export class Recorder implements ChangeReader {
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
