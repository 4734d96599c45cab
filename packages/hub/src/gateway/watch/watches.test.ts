import { FakeClock, eventually } from '@tidings/live/testing';
import type { Upstream } from '@tidings/track';
import { emptyCatalog } from '@tidings/track/internal';
import { expect, it } from 'vitest';
import { Watches } from './watches.ts';

type Watched = Pick<Upstream, 'id' | 'catalog' | 'watch' | 'sharesWatchersWith'>;

it('watches keep no replaced upstream, although its server does not list the URI at the moment', async () => {
  const asked: string[] = [];
  const standIn = (name: string): Watched => ({
    id: 'notes',
    catalog: { ...emptyCatalog },
    watch: () => ({ ready: Promise.resolve(), end: () => undefined }),
    sharesWatchersWith: () => {
      asked.push(name);
      return true;
    },
  });
  let current = standIn('first');
  let isListed = true;
  const clock = new FakeClock();
  const watches = new Watches<Watched>({
    clock,
    upstreams: () => [current],
    ownership: {
      find: (uri) => (isListed ? { serverId: 'notes', uri, upstream: current } : undefined),
      uriOf: (uri) => uri,
    },
    announce: () => undefined,
  });
  watches.begin('note://a');
  const replace = async (name: string) => {
    current = standIn(name);
    asked.length = 0;
    watches.review();
    clock.tick();
    await eventually('the review', () => asked.length > 0);
  };
  isListed = false;
  await replace('second');
  expect(asked).toEqual(['first']);
  await replace('third');
  expect(asked).toEqual(['second']);
});
