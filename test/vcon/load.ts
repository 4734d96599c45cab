// Many clients on one vCon server over HTTP: writers increment the number in their vCon's subject, and readers read
// again at each notification. A read must return at least the number that was committed when it began; since readers
// read only after notifications, a lost one shows at the end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestClient, connectHttp, eventually } from '@tidings/live/testing';
import { openLibrary } from '@tidings/vcon';
import { connectOldHttp } from '../support/wire/old-sdk-client.ts';
import { Committed } from './committed.ts';
import { LoadReader, reasonOf, watchedBy } from './load-reader.ts';
import { startLoadServer } from './load-server.ts';

export interface Load {
  readers: number;
  writers: number;
  seconds: number;
}

export interface LoadReport {
  reads: number;
  writes: number;
  notifications: number;
  /** Failed calls, stale reads, and the server's warnings and errors. */
  problems: string[];
}

const lookEveryMs = 2;
/** Time limit for the last notifications on a busy machine. */
const patienceMs = 120_000;
/** Number of clients that connect at the same time. */
const connecting = 20;

export async function loadVcons({ readers: readerCount, writers: writerCount, seconds }: Load): Promise<LoadReport> {
  const problems: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'tidings-load-'));
  const library = await openLibrary(folder);
  const committed = new Committed(library);
  const uuids = Array.from({ length: writerCount }, (_, index) => uuidOf(index));
  for (const uuid of uuids) await library.create({ uuid, subject: '0' });
  const server = await startLoadServer(folder, (complaint) => problems.push(complaint));
  try {
    const writers = await connectAll(server.url, uuids);
    const watched = Array.from({ length: readerCount }, (_, index) => watchedBy(index, uuids));
    const clients = await connectAll(server.url, watched);
    const readers = clients.map(
      ({ client, use }) => new LoadReader(client, use, committed, (problem) => problems.push(problem)),
    );
    await inTurns(readers, connecting, (reader) => reader.subscribe());
    const looking = setInterval(() => readers.forEach((reader) => reader.look()), lookEveryMs);
    const end = performance.now() + seconds * 1000;
    const counts = await Promise.all(
      writers.map(({ client, use }) =>
        countUp(client, use, committed, end).catch((error: unknown) => {
          problems.push(reasonOf(error));
          return 0;
        }),
      ),
    );
    const last = await committed.all();
    await eventually(
      'the last value, seen by all readers',
      () => readers.every((each) => each.hasSeen(last)),
      patienceMs,
    )
      .catch((error: Error) => problems.push(`${error.message}. ${behind(readers, last)}`))
      .finally(() => clearInterval(looking));
    await Promise.all(readers.map((reader) => reader.idle));
    await inTurns([...writers, ...clients], connecting, ({ client }) => client.close());
    return {
      reads: sum(readers.map((reader) => reader.reads)),
      writes: sum(counts),
      notifications: sum(clients.map(({ client }) => client.updates.length)),
      problems,
    };
  } finally {
    await server.stop();
    await library.close();
    await rm(folder, { recursive: true });
  }
}

/** Writes increasing numbers until `end`, and returns the last one. */
async function countUp(client: TestClient, uuid: string, committed: Committed, end: number): Promise<number> {
  for (let count = 1; ; count += 1) {
    const answer = await client.call('update_vcon', { uuid, subject: String(count) });
    if ((await committed.of(uuid)) !== count) throw new Error(`Write ${count} of ${uuid} was not kept: ${answer}`);
    if (performance.now() > end) return count;
  }
}

/** Connects clients of both eras and of the 1.x SDK in turn. */
async function connectAll<T>(url: string, uses: readonly T[]): Promise<{ client: TestClient; use: T }[]> {
  const connects = [() => connectHttp(url, 'modern'), () => connectHttp(url, 'legacy'), () => connectOldHttp(url)];
  return inTurns(uses, connecting, async (use, index) => {
    const connect = connects[index % connects.length] ?? (() => connectHttp(url, 'modern'));
    return { client: await connect(), use };
  });
}

/** Works on `width` items at a time. */
async function inTurns<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += width) {
    const turn = items.slice(first, first + width).map((item, index) => work(item, first + index));
    results.push(...(await Promise.all(turn)));
  }
  return results;
}

function behind(readers: readonly LoadReader[], last: ReadonlyMap<string, number>): string {
  const late = readers.filter((reader) => !reader.hasSeen(last));
  return `${late.length} are behind, such as ${late[0]?.state}`;
}

function uuidOf(index: number): string {
  return `c0ffee00-0000-8000-8000-${String(index).padStart(12, '0')}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
