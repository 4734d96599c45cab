// Several processes on one store: some are killed in the middle of writing, two write at once. What they
// were told is written is written, whole and announced, and every process is told of it.
import { describe, expect, it } from 'vitest';
import { describeWith } from '../support/needs.ts';
import { isWhole } from '../support/proof-size.ts';
import { postgresNeed } from '../support/postgres.ts';
import { freshDatabase } from '../support/shared-postgres.ts';
import { agreedIds, assertIncludes } from '../store/agreement.ts';
import { freshFolder, noteProcess } from '../store/places.ts';

const timeoutMs = 120_000;
/** In each of them three processes are killed. */
const killRounds = isWhole ? 10 : 2;

/** `rounds` times three writers at once, each killed at a moment of its own. */
async function killWriters(place: string, rounds: number): Promise<void> {
  const follower = noteProcess(place);
  await follower.reports('ready');
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const killed = [0, 1, 2].map(async (which) => {
      const writer = noteProcess(place, { writes: 10_000 });
      // Some do not get further than opening.
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
    // Of what was written before it was there, it need not hear.
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
    'lose nothing that was acknowledged, in many kills',
    async () => {
      await killWriters(await freshFolder(), killRounds);
    },
    timeoutMs,
  );

  it(
    'lose nothing when two write at once, and tell each other',
    async () => {
      await writeAtOnce(await freshFolder(), 300);
    },
    timeoutMs,
  );
});

describeWith(postgresNeed, 'processes on one PostgreSQL', () => {
  it(
    'lose nothing that was acknowledged, in 6 kills',
    async () => {
      await killWriters(await freshDatabase(), 2);
    },
    timeoutMs,
  );

  it(
    'lose nothing when two write at once, and tell each other',
    async () => {
      await writeAtOnce(await freshDatabase(), 200);
    },
    timeoutMs,
  );
});
