// Processes that are killed in the middle of writing: what they were told is written is written, whole
// and announced, and nobody after them notices.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../support/needs.ts';
import { PostgresServer, postgresNeed } from '../support/postgres.ts';
import { agreedIds, assertIncludes } from './agreement.ts';
import { freshFolder, noteProcess } from './places.ts';

/** `rounds` times three writers at once, each killed at a moment of its own. */
async function killWriters(place: string, rounds: number): Promise<void> {
  const follower = noteProcess(place);
  await follower.reports('ready');
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const killed = [0, 1, 2].map(async (which) => {
      const writer = noteProcess(place, { writes: 10_000 });
      // Some do not get further than opening.
      if (round % 3 === 2 && which === 2) await writer.reports('opening');
      else await writer.reports('written', 1 + ((round * 7 + which * 5) % 12));
      await writer.kill();
      return writer.written;
    });
    acknowledged.push(...(await Promise.all(killed)).flat());
  }
  const written = await agreedIds(place);
  assertIncludes(written, acknowledged);
  await follower.sees(written);
  expect(follower.seen.toSorted()).toEqual([...written].toSorted());
  expect(follower.of('gap')).toEqual([]);
  await follower.stop();
}

describe('writers of one folder that are killed', () => {
  it('lose nothing they were told is written, in 30 kills', async () => {
    await killWriters(await freshFolder(), 10);
  }, 120_000);
});

describeWith(postgresNeed, 'writers to PostgreSQL that are killed', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(() => server.remove());

  it('lose nothing they were told is written, in 9 kills', async () => {
    await killWriters(await server.createDatabase(), 3);
  }, 120_000);
});
