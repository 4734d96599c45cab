// Connections to PostgreSQL that die silently: they stay open, and no answer arrives.
import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { type Store, openStore } from '@tidings/store';
import { type NoteTables, noteMigrations, put, textOf } from '@tidings/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { FaultyProxy, type Which } from '../support/network/faulty-proxy.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { timeLimit } from '../support/run/time-limit.ts';

/** Time limit from a fault to its detection, and extra time for a busy machine. */
const soonMs = 5000;
const slackMs = 3000;

const isFeed: Which = ({ asked }) => /listen "/i.test(asked);

async function open(place: string, clock = systemClock): Promise<Store<NoteTables>> {
  const log = { warn: () => undefined, error: () => undefined };
  const store = await openStore<NoteTables>(place, { name: 'notes', migrations: noteMigrations, log, clock });
  onTestFinished(() => store.close());
  return store;
}

async function behindProxy(clock = systemClock) {
  const place = await freshDatabase();
  const proxy = await FaultyProxy.open(place);
  onTestFinished(() => proxy.close());
  const [store, other] = [await open(proxy.url, clock), await open(place)];
  const seen: string[] = [];
  store.feed.follow({ change: ({ topics }) => void seen.push(...topics), gap: () => void seen.push('gap') });
  await put(other, 'first', 'x');
  await eventually('the first change', () => seen.includes('first'));
  return { proxy, store, other, seen };
}

async function soon(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now();
  await eventually(what, condition, 30_000);
  expect(performance.now() - began).toBeLessThan(timeLimit(soonMs + slackMs));
}

describeWith(postgresNeed, 'connections to PostgreSQL that die silently', () => {
  it('are noticed soon by the feed, if a new connection works', async () => {
    const { proxy, other, seen } = await behindProxy();
    for (const id of ['one', 'two']) {
      proxy.affect('blackHole', isFeed);
      await put(other, id, 'x');
      await soon('the change', () => seen.includes(id));
    }
    expect(seen).toEqual(['first', 'one', 'two']);
    // The dead connections are closed.
    expect(proxy.connections.filter(({ fault }) => fault === undefined).filter(isFeed)).toHaveLength(1);
  });

  it('are reported soon after new connections work again', async () => {
    const { proxy, other, seen } = await behindProxy();
    proxy.affect('blackHole');
    proxy.affectNew('blackHole');
    const before = proxy.connections.length;
    await put(other, 'meanwhile', 'x');
    await eventually('attempts in vain', () => proxy.connections.length > before + 1, 30_000);
    proxy.mend();
    await soon('the change', () => seen.includes('meanwhile'));
    expect(seen).toEqual(['first', 'meanwhile']);
  });

  it('do not delay reads and writes', async () => {
    let later = 0;
    const { proxy, store } = await behindProxy({ ...systemClock, now: () => systemClock.now() + later });
    // Two idle connections in the pool.
    await Promise.all([textOf(store, 'a'), textOf(store, 'b')]);
    later = 60_000;
    proxy.affect('blackHole');
    await soon('an answer', async () => (await textOf(store, 'first')) === 'x');
    await soon('a write', async () => {
      await put(store, 'mine', 'y');
      return true;
    });
  });

  it('are distinguished from those that are only delayed, which lose nothing and cause no gap', async () => {
    const { proxy, other, seen } = await behindProxy();
    for (let round = 0; round < 3; round += 1) {
      proxy.affect('stall', isFeed);
      await put(other, `note ${round}`, 'x');
      proxy.mend();
      await soon('the change', () => seen.includes(`note ${round}`));
    }
    expect(seen).toEqual(['first', 'note 0', 'note 1', 'note 2']);
    expect(proxy.connections.filter(isFeed)).toHaveLength(1);
  });
});
