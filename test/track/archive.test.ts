// Events that the archive keeps while its database is unavailable, and writes afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock, eventually } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import { type Store, openStore } from '@tidings/store';
import { expect, it, onTestFinished } from 'vitest';
import { type ArchiveTables, migrations } from '../../packages/track/src/journal/archive-schema.ts';
import { Archive } from '../../packages/track/src/journal/archive.ts';
import { Journal } from '../../packages/track/src/journal/journal.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A store whose writes can be made to fail. */
async function failingStore() {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-archive-'));
  const real = await openStore<ArchiveTables>(folder, { name: 'tracker', migrations, log });
  onTestFinished(async () => {
    await real.close();
    await rm(folder, { recursive: true, force: true });
  });
  const state = { isAway: false };
  const write: Store<ArchiveTables>['write'] = async (work) => {
    if (state.isAway) throw new Error('The database is away.');
    return real.write(work);
  };
  const store: Store<ArchiveTables> = {
    engine: real.engine,
    db: real.db,
    feed: real.feed,
    close: () => real.close(),
    write,
  };
  return { store, state };
}

it('the archive stores a gap in place of events that exceeded its memory', async () => {
  const { store, state } = await failingStore();
  const clock = new FakeClock();
  const archive = new Archive({ store, definitions: store }, { clock, log, keep: 3, isShared: false });
  const journal = new Journal({ clock, limits: { entries: 100, bytes: 100_000 }, life: 'a', earlier: [], log });
  const tell = (resourceUri: string) =>
    archive.event(journal.append({ type: 'resource_update', serverId: 's', resourceUri }));
  tell('a://0');
  await archive.flush();
  state.isAway = true;
  for (let n = 1; n <= 5; n += 1) tell(`a://${n}`);
  await expect(archive.flush()).rejects.toThrow('could not be stored');
  state.isAway = false;
  await archive.flush();
  const { events } = await archive.load();
  expect(events.map(({ event }) => ('resourceUri' in event ? event.resourceUri : event.type))).toEqual([
    'gap',
    'a://4',
    'a://5',
  ]);
});

it('writes no more after the archive was closed, even if a write was under way', async () => {
  const { store } = await failingStore();
  const clock = new FakeClock();
  let writes = 0;
  let fail = () => {};
  const write: Store<ArchiveTables>['write'] = () => {
    writes += 1;
    return new Promise((_, reject) => {
      fail = () => reject(new Error('The database is away.'));
    });
  };
  const { engine, db, feed } = store;
  const away: Store<ArchiveTables> = { engine, db, feed, close: () => store.close(), write };
  const archive = new Archive({ store: away, definitions: away }, { clock, log, keep: 3, isShared: false });
  const journal = new Journal({ clock, limits: { entries: 100, bytes: 100_000 }, life: 'a', earlier: [], log });
  archive.event(journal.append({ type: 'gap' }));
  clock.advance(250);
  await eventually('the first write', () => writes === 1);
  const closed = archive.close();
  fail();
  await eventually('the last write', () => writes === 2);
  fail();
  await closed;
  await eventLoopTurn();
  clock.advance(60_000);
  await eventLoopTurn();
  expect([writes, clock.waiting]).toEqual([2, 0]);
});
