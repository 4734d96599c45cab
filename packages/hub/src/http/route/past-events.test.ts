import type { TrackerEvent } from '@tidings/client/contract';
import { TimeSlice, eventLoopTurn, systemClock } from '@tidings/live/time';
import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { permissionsBy } from '../../access/permissions.ts';
import { pastEvents } from './past-events.ts';

const whole = permissionsBy(() => undefined, new FakeClock())({ auth: undefined });

it('requests that search the journal let other events be handled', async () => {
  let [now, inThisTurn, mostInOneTurn] = [0, 0, 0];
  const slice = new TimeSlice({ ...systemClock, now: () => now }, 10);
  // Each comparison takes as long as a time slice.
  const entry = (position: number) => ({
    cursor: `c${position}`,
    json: '',
    get event(): TrackerEvent {
      now += 10;
      if (inThisTurn === 0) void eventLoopTurn().then(() => (inThisTurn = 0));
      inThisTurn += 1;
      mostInOneTurn = Math.max(mostInOneTurn, inThisTurn);
      return { type: 'resource_update', serverId: 'a', resourceUri: `x://${position}`, timestamp: '' };
    },
  });
  const entries = Array.from({ length: 30 }, (_, position) => entry(position));
  const read = () => ({ entries, hasGap: false, cursor: 'c29' });
  const journal = { start: 0, end: 30, cursor: 'c29', at: (position: number) => entries[position], read };
  const found = await Promise.all(
    [{ last: 2 }, { last: 2, q: 'nowhere' }, { q: '://29' }, { uri: 'x://1*' }].map((query) =>
      pastEvents({ journal, slice }, whole, { limit: 100, ...query }),
    ),
  );
  expect(found.map(({ events }) => events.map(({ cursor }) => cursor))).toEqual([
    ['c28', 'c29'],
    [],
    ['c29'],
    ['c1', ...Array.from({ length: 10 }, (_, n) => `c1${n}`)],
  ]);
  expect(mostInOneTurn).toBe(1);
});
