// A process that writes to a store of notes: `node note-child.js PLACE [WRITES]`. It reports every change it is
// notified of and every acknowledged write, one JSON line each, and writes until it has made WRITES writes or its
// standard input ends. Run by note-process.ts.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { openStore } from '@tidings/store';

const [place = '', writes = '0'] = process.argv.slice(2);
const now = () => Number(process.hrtime.bigint() / 1000n);
/** Synchronous, so that a kill cannot lose a line. */
const report = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const describe = (error) => ({ code: error.code, message: error.message });

const stopped = once(process.stdin.resume(), 'end');

report({ kind: 'opening' });
const createNote = 'create table note (id text primary key, text text not null)';
const store = await openStore(place, {
  name: 'notes',
  migrations: [{ name: 'notes', up: ({ run }) => run(createNote) }],
  log: {
    warn: (_fields, message) => report({ kind: 'log', message }),
    error: (_fields, message) => report({ kind: 'log', message }),
  },
}).catch((error) => {
  report({ kind: 'refused', ...describe(error) });
  process.exit(1);
});
store.feed.follow({
  change: ({ topics }) => report({ kind: 'seen', topics, at: now() }),
  gap: () => report({ kind: 'gap' }),
});
report({ kind: 'ready', at: now() });

for (let n = 0; n < Number(writes) && !process.stdin.readableEnded; n += 1) {
  const id = `${process.pid}-${n}`;
  const begunAt = now();
  try {
    // Two rows, so that a partial write would show.
    await store.write(async ({ db, announce }) => {
      await db.insertInto('note').values({ id, text: 'first half' }).execute();
      await db
        .insertInto('note')
        .values({ id: `${id}+`, text: 'second half' })
        .execute();
      announce(id);
    });
    report({ kind: 'written', id, begunAt, at: now() });
  } catch (error) {
    report({ kind: 'failed', id, ...describe(error) });
    // An absent server fails at once; without a pause this would be thousands of attempts.
    await setTimeout(20);
  }
}

report({ kind: 'done' });
await stopped;
await store.close();
