import { TimeSlice, eventLoopTurn, systemClock } from '@tidings/live/time';
import { expect, it } from 'vitest';
import type { Hit } from './search-queries.ts';
import { VisibleHits } from './visible-hits.ts';

const hit = (id: number): Hit => ({
  uuid: `${id}`,
  created: id,
  created_at: '""',
  subject: null,
  form: 'unsigned',
  head: '{}',
  parties: null,
  dialog: null,
  analysis: null,
  attachments: null,
  sealed: null,
  sort_key: '',
  score: null,
  tags: null,
  held: 1,
});

it('lets other events be handled between large documents of many searches', async () => {
  let [now, inThisTurn, mostInOneTurn] = [0, 0, 0];
  // Each document takes as long as a time slice lasts.
  const work = () => {
    now += 10;
    if (inThisTurn === 0) void eventLoopTurn().then(() => (inThisTurn = 0));
    inThisTurn += 1;
    mostInOneTurn = Math.max(mostInOneTurn, inThisTurn);
    return true;
  };
  const slice = new TimeSlice({ ...systemClock, now: () => now }, 10);
  const search = async () => {
    const visibleHits = new VisibleHits({ redaction: undefined, permits: undefined, signal: undefined, slice });
    const hits = Array.from({ length: 10 }, (_, id) => hit(id));
    const seen = await visibleHits.first({ limit: 10, columns: ['head'], accepts: work }, async () => hits.splice(0));
    return visibleHits.each(seen, work);
  };
  const searches = await Promise.all(Array.from({ length: 10 }, search));
  expect(searches.map(({ length }) => length)).toEqual(searches.map(() => 10));
  expect(mostInOneTurn).toBe(1);
});
