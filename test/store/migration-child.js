// A process that stops in the middle of a migration: `node migration-child.js PLACE`.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { openStore } from '@tidings/store';

const createNote = 'create table note (id text primary key, text text not null)';
const stay = once(process.stdin.resume(), 'end');

await openStore(process.argv[2] ?? '', {
  name: 'notes',
  migrations: [
    { name: 'notes', up: ({ run }) => run(createNote) },
    {
      name: 'colour',
      up: async ({ run }) => {
        await run(`alter table note add column colour text default 'red'`);
        await run(`update note set text = 'half migrated'`);
        writeSync(1, 'halfway\n');
        await stay;
      },
    },
  ],
});
