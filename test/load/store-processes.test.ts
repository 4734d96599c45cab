// Several processes on one store: some are killed while writing, two write at once. Acknowledged writes exist, are
// complete and announced, and every process is notified.
import { describe, expect, it } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { isWhole } from '../support/run/proof-size.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { agreedIds, assertIncludes } from '../store/agreement.ts';
import { freshFolder, noteProcess } from '../store/places.ts';

const timeoutMs = 120_000;
/** Each round kills three processes. */
const killRounds = isWhole ? 10 : 2;

/** Runs `rounds` times three writers at once and kills each at a different moment. */
async function killWriters(place: string, rounds: number): Promise<void> {
  const follower = noteProcess(place);
  await follower.reports('ready');
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const killed = [0, 1, 2].map(async (which) => {
      const writer = noteProcess(place, { writes: 10_000 });
      // Some are killed while they open the store.
      if (round % 2 === 1 && which === 2) await writer.reports('opening');
      else await writer.reports('written', 1 + ((round * 7 + which * 5) % 12));
      await writer.kill();
      return writer.written;
    });
    acknowledged.push(...(await Promise.all(killed)).flat());
  }
  const ids = await agreedIds(place);
  assertIncludes(ids, acknowledged);
  await follower.sees(ids);
  expect(follower.seen.toSorted()).toEqual([...ids].toSorted());
  expect(follower.of('gap')).toEqual([]);
  await follower.stop();
}

async function writeAtOnce(place: string, writes: number): Promise<void> {
  const follower = noteProcess(place);
  await follower.reports('ready');
  const writers = [noteProcess(place, { writes }), noteProcess(place, { writes })];
  await Promise.all(writers.map((writer) => writer.reports('done')));

  const ids = writers.flatMap(({ written }) => written).toSorted();
  expect(ids).toHaveLength(2 * writes);
  expect([...(await agreedIds(place))].toSorted()).toEqual(ids);
  await follower.sees(ids);
  expect(follower.seen.toSorted()).toEqual(ids);
  for (const writer of writers) {
    // A process need not be notified of writes from before it was ready.
    const readyAt = writer.of('ready')[0]?.at ?? 0;
    const later = writers.flatMap((each) => each.of('written')).filter(({ begunAt }) => begunAt > readyAt);
    await writer.sees(later.map(({ id }) => id));
  }
  for (const each of [follower, ...writers]) {
    expect(each.of('failed')).toEqual([]);
    expect(each.of('gap')).toEqual([]);
    await each.stop();
  }
}

describe('processes on one folder', () => {
  it(
    'lose no acknowledged write in many kills',
    async () => {
      await killWriters(await freshFolder(), killRounds);
    },
    timeoutMs,
  );

  it(
    'lose no write when two write at once, and notify each other',
    async () => {
      await writeAtOnce(await freshFolder(), 300);
    },
    timeoutMs,
  );
});

describeWith(postgresNeed, 'processes on one PostgreSQL', () => {
  it(
    'lose no acknowledged write in 6 kills',
    async () => {
      await killWriters(await freshDatabase(), 2);
    },
    timeoutMs,
  );

  it(
    'lose no write when two write at once, and notify each other',
    async () => {
      await writeAtOnce(await freshDatabase(), 200);
    },
    timeoutMs,
  );
});
