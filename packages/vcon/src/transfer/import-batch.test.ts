import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openLibrary } from '../source/library.ts';
import { importVcons } from './import-vcons.ts';

test('documents that the database refuses are left out, and the others of their batch are written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-batch-'));
  const library = await openLibrary(folder);
  onTestFinished(async () => {
    await library.close();
    await rm(folder, { recursive: true });
  });
  // No valid document is refused by the database, so a trigger refuses one.
  await library.store.write(({ db }) =>
    sql`create trigger picky before insert on vcon when new.subject = '"Call 3"'
      begin select raise(abort, 'Not this one'); end`.execute(db),
  );
  const file = join(folder, 'calls.jsonl');
  const lines = Array.from({ length: 5 }, (_, n) =>
    JSON.stringify({ uuid: `0000000${n}-0000-4000-8000-000000000000`, subject: `Call ${n}` }),
  );
  await writeFile(file, lines.join('\n'));

  const { outcome, counts, problems } = await importVcons(library, [file]);
  expect({ outcome, created: counts.created, bad: counts.bad }).toEqual({ outcome: 'complete', created: 4, bad: 1 });
  expect(problems).toEqual([{ source: file, line: 4, reason: 'the database refuses it: Not this one' }]);
});
