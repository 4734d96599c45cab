// A table in a store as live resources. Several processes may serve the same folder; a write by one of them notifies
// the clients of all. Run it twice: `node tasks.js FOLDER PORT`.
import { liveServer, notFound, serveHttp } from '@tidings/live';
import { type Migration, openStore } from '@tidings/store';
import { z } from 'zod';

interface Tables {
  task: { id: string; text: string; done: number };
}

const migrations: Migration[] = [
  { name: 'tasks', up: ({ run }) => run('create table task (id text primary key, text text, done integer not null)') },
];

const [folder = 'tasks', port = '3000'] = process.argv.slice(2);
const store = await openStore<Tables>(folder, { name: 'tasks', migrations });
const server = liveServer({ name: 'tasks', version: '1.0.0', feed: store.feed });

const task = server.resource('task://{id}', {
  read: async ({ id }) =>
    (await store.db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirst()) ?? notFound(),
  listAfter: (last, { limit }) => {
    const after = store.db
      .selectFrom('task')
      .select('id')
      .where('id', '>', last?.id ?? '');
    return after.orderBy('id').limit(limit).execute();
  },
});

server.tool('add_task', { input: z.object({ id: z.string(), text: z.string() }) }, ({ id, text }) =>
  store.write(async ({ db, announce, listChanged }) => {
    await db.insertInto('task').values({ id, text, done: 0 }).execute();
    announce(task.uri({ id }));
    listChanged();
  }),
);

server.tool('finish_task', { input: z.object({ id: z.string() }) }, ({ id }) =>
  store.write(async ({ db, announce }) => {
    await db.updateTable('task').set({ done: 1 }).where('id', '=', id).execute();
    announce(task.uri({ id }));
  }),
);

const { url } = await serveHttp(server, { port: Number(port) });
console.log(url);
