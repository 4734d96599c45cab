// kill -9 during an import, twice: the next run continues exactly after the last committed line.
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import type { Library } from '@tidings/vcon';
import { expect, it } from 'vitest';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { exported, filesWith, freshFolder, freshLibrary, jsonl, range } from './import-fixture.ts';

const total = 2500;

async function countIn(library: Library): Promise<number> {
  const { count } = await library.store.db
    .selectFrom('vcon')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

it('loses nothing and does nothing twice', async () => {
  const file = join(await filesWith({ 'calls.jsonl': jsonl(range(0, total)) }), 'calls.jsonl');
  const data = await freshFolder();
  const library = await freshLibrary(data);
  let done = 0;
  for (let kills = 0; kills < 2; kills += 1) {
    const importing = new TidingsProcess(['import', file, '--data', data]);
    await eventually('a batch more', async () => (await countIn(library)) > done);
    await importing.end('SIGKILL');
    done = await countIn(library);
    expect(done).toBeLessThan(total);
  }
  const { code, stdout } = await tidingsCommand(['import', file, '--data', data, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'complete',
    // If the position were not committed together with its documents, some would exist already.
    counts: { created: total - done, unchanged: 0, conflicts: 0, bad: 0 },
    resumed: [{ source: file, line: done }],
  });
  expect(await exported(library)).toEqual(range(0, total).toReversed());
});
