// The code of docs/kit.md, docs/store.md, docs/testing.md and the store's README: a server whose notes are kept in a store.
import { connectMemory, told } from '@tidings/live/testing';
import { liveServer, notFound } from '@tidings/live';
import { type Migration, openStore } from '@tidings/store';
import { z } from 'zod';

interface Tables {
  note: { id: string; text: string };
}

const migrations: Migration[] = [
  { name: 'notes', up: ({ run }) => run('create table note (id text primary key, text text not null)') },
];

/** Writes a note through a tool, and returns the update that a reader got and the text it read. */
export async function writeAndHear(place: string): Promise<string> {
  const store = await openStore<Tables>(place, { name: 'notes', migrations });
  const server = liveServer({ name: 'notes', version: '1.0.0', feed: store.feed });

  const note = server.resource('note://{id}', {
    read: async ({ id }) => {
      const found = await store.db.selectFrom('note').select('text').where('id', '=', id).executeTakeFirst();
      return found?.text ?? notFound();
    },
    listAfter: (last, { limit }) =>
      store.db
        .selectFrom('note')
        .select('id')
        .where('id', '>', last?.id ?? '')
        .orderBy('id')
        .limit(limit)
        .execute(),
  });

  server.tool('write_note', { input: z.object({ id: z.string(), text: z.string() }) }, ({ id, text }) =>
    store.write(async ({ db, announce, listChanged }) => {
      await db.insertInto('note').values({ id, text }).execute();
      announce(note.uri({ id }));
      listChanged();
    }),
  );
  server.prompt('about', { args: z.object({ id: z.string() }) }, ({ id }) => `Tell me about ${note.uri({ id })}.`);

  const client = await connectMemory(server, 'legacy');
  await client.subscribe('note://today');
  await client.call('write_note', { id: 'today', text: 'It works.' });
  await told(client, 'note://today');
  const text = await client.read('note://today');

  await client.close();
  await server.close();
  await store.close();
  return text;
}
