// Two processes that write to one place at once, and a third that only follows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../support/needs.ts';
import { PostgresServer, postgresNeed } from '../support/postgres.ts';
import { agreedIds } from './agreement.ts';
import { freshFolder, noteProcess } from './places.ts';

const writes = 200;

async function writeAtOnce(place: string): Promise<void> {
  const follower = noteProcess(place);
  await follower.reports('ready');
  // A process hears of what comes after its own start: so both start before either writes.
  const writers = [noteProcess(place, { writes }), noteProcess(place, { writes })];
  await Promise.all(writers.map((writer) => writer.reports('done')));

  const ids = writers.flatMap(({ written }) => written).toSorted();
  expect(ids).toHaveLength(2 * writes);
  expect([...(await agreedIds(place))].toSorted()).toEqual(ids);
  await follower.sees(ids);
  expect(follower.seen.toSorted()).toEqual(ids);
  for (const writer of writers) {
    const [ready] = writer.of('ready');
    const others = writers.filter((other) => other !== writer).flatMap((other) => other.of('written'));
    const later = others.filter(({ at }) => at > (ready?.at ?? 0)).map(({ id }) => id);
    await writer.sees([...writer.written, ...later]);
  }
  for (const each of [follower, ...writers]) {
    expect(each.of('failed')).toEqual([]);
    expect(each.of('gap')).toEqual([]);
    await each.stop();
  }
}

describe('two processes on one folder', () => {
  it('lose nothing, and each is told of what the other writes', async () => {
    await writeAtOnce(await freshFolder());
  }, 60_000);
});

describeWith(postgresNeed, 'two processes on one PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(() => server.remove());

  it('lose nothing, and each is told of what the other writes', async () => {
    await writeAtOnce(await server.createDatabase());
  }, 60_000);
});
