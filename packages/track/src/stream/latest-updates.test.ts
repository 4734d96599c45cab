import { expect, it } from 'vitest';
import type { TrackerEvent } from '@tidings/client/contract';
import { LatestUpdates } from './latest-updates.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const update = (serverId: string, resourceUri: string): TrackerEvent => ({
  type: 'resource_update',
  serverId,
  resourceUri,
  timestamp,
});

function journalOf(events: readonly TrackerEvent[]) {
  return {
    at(position: number) {
      const event = events[position];
      return event && { event, json: JSON.stringify(event), cursor: String(position) };
    },
  };
}

it('has the last update of each resource of each server, within its part of the journal', () => {
  const journal = journalOf([
    update('a', 'x://1'),
    update('b', 'x://1'),
    { type: 'gap', timestamp },
    update('a', 'x://2'),
    update('a', 'x://1'),
    update('b', 'x://1'),
  ]);
  const positions = (latest: LatestUpdates) => [0, 1, 2, 3, 4, 5].filter((position) => latest.has(position));
  expect(positions(new LatestUpdates(journal, 0, 6))).toEqual([3, 4, 5]);
  expect(positions(new LatestUpdates(journal, 0, 5))).toEqual([1, 3, 4]);
  expect(positions(new LatestUpdates(journal, 1, 3))).toEqual([1]);
});

it('covers the positions from its start up to its end', () => {
  const latest = new LatestUpdates(journalOf([]), 2, 4);
  expect([1, 2, 3, 4].filter((position) => latest.covers(position))).toEqual([2, 3]);
});
