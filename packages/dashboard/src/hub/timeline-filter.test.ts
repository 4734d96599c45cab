import type { TrackerEvent } from '@tidings/client/contract';
import { describe, expect, it } from 'vitest';
import { timelineFilter, timelineFilterIn } from './timeline-filter.ts';

const noon: TrackerEvent = {
  type: 'resource_update',
  serverId: 'notes',
  resourceUri: 'note://A',
  timestamp: '2026-11-17T12:00:00.000Z',
};

describe('the filter of the timeline', () => {
  it.each([
    ['', true],
    ['server=notes&type=resource_update&uri=NOTE', true],
    ['server=other', false],
    ['type=gap', false],
    ['uri=b', false],
    ['from=2026-11-17T12:00:00.000Z', true],
    ['from=2026-11-17T12:00:00.001Z', false],
    ['until=2026-11-17T12:00:00.000Z', false],
    ['until=2026-11-17T13:00:00.001%2B01:00', true],
    ['from=yesterday&until=tomorrow', true],
  ])('%j: %s', (query, passes) => {
    expect(timelineFilter(timelineFilterIn(new URLSearchParams(query)))(noon)).toBe(passes);
  });
});
