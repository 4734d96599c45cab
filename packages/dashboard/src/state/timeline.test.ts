import type { TrackerEvent } from '@tidings/client/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Timeline } from './timeline.ts';

const start = Date.parse('2026-11-16T08:00:00.000Z');
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const update = (seconds: number, serverId = 'notes'): TrackerEvent => {
  return { type: 'resource_update', serverId, resourceUri: 'note://a', timestamp: at(seconds) };
};

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the timeline', () => {
  it('keeps events in order, with numbers that are not reused', () => {
    const timeline = new Timeline();
    timeline.add(update(0), 'c1');
    timeline.add(update(1), 'c2');
    expect(timeline.entries.map(({ number, cursor }) => [number, cursor])).toEqual([
      [1, 'c1'],
      [2, 'c2'],
    ]);
  });

  it('has the cursors of its events, but none of gaps, whose cursor belongs to an earlier event', () => {
    const timeline = new Timeline();
    timeline.add(update(0), 'c1');
    timeline.add({ type: 'gap', timestamp: at(1) }, 'c2');
    expect([timeline.has('c1'), timeline.has('c2')]).toEqual([true, false]);
  });

  it('drops the oldest events and their cursors above its limit', () => {
    const timeline = new Timeline();
    for (let n = 1; n <= 55_001; n += 1) timeline.add({ type: 'gap', timestamp: at(0) }, `g${n}`);
    timeline.add(update(0), 'last');
    expect(timeline.entries.length).toBe(50_001);
    expect(timeline.entries.at(-1)).toMatchObject({ number: 55_002, cursor: 'last' });
    expect(timeline.count).toBe(55_002);
  });

  it('keeps the older events of a filter however many newer ones it has, and only so many of them', () => {
    const timeline = new Timeline();
    for (let n = 1; n <= 50_001; n += 1) timeline.add(update(n), `c${n}`);
    timeline.addPast([{ cursor: 'old', event: update(-1) }]);
    expect(timeline.entries[0]).toMatchObject({ number: -1, cursor: 'old' });
    for (let n = 50_002; n <= 60_000; n += 1) timeline.add(update(n), `c${n}`);
    expect(timeline.entries[0]).toMatchObject({ number: -1, cursor: 'old' });
    expect([timeline.has('old'), timeline.has('c1')]).toEqual([true, false]);
    timeline.addPast(Array.from({ length: 5000 }, (_, n) => ({ cursor: `p${n}`, event: update(n - 9000) })));
    expect([timeline.has('old'), timeline.has('p0'), timeline.has('p4999')]).toEqual([false, true, true]);
    timeline.addPast([{ cursor: 'old', event: update(-1) }]);
    expect([timeline.has('old'), timeline.has('p0'), timeline.has('p4999')]).toEqual([true, true, false]);
  });

  it('counts updates and the slowest delivery of each second of the last minute', () => {
    const timeline = new Timeline();
    timeline.add(update(58), 'c1', 20);
    timeline.add(update(58), 'c2', 80);
    timeline.add(update(59), 'c3');
    timeline.add({ type: 'gap', timestamp: at(59) }, 'c4');
    const seconds = timeline.seconds(start + 59_500);
    expect(seconds).toHaveLength(60);
    expect(seconds.slice(-3)).toEqual([
      { updates: 0, errors: 0, latencyMs: undefined },
      { updates: 2, errors: 0, latencyMs: 80 },
      { updates: 1, errors: 0, latencyMs: undefined },
    ]);
  });

  it('measures each server separately, with its errors', () => {
    const timeline = new Timeline();
    timeline.add(update(59), 'c1', 20);
    timeline.add(update(59, 'other'), 'c2', 80);
    timeline.add({ type: 'resource_error', serverId: 'other', reason: 'read', error: 'gone', timestamp: at(59) }, 'c3');
    expect(timeline.seconds(start + 59_500, 'notes').at(-1)).toEqual({ updates: 1, errors: 0, latencyMs: 20 });
    expect(timeline.seconds(start + 59_500, 'other').at(-1)).toEqual({ updates: 1, errors: 1, latencyMs: 80 });
    expect(timeline.seconds(start + 59_500, 'unknown').at(-1)?.updates).toBe(0);
  });

  it('counts the updates of one server within the last minute', () => {
    const timeline = new Timeline();
    timeline.add(update(0), 'c1');
    timeline.add(update(30), 'c2');
    timeline.add(update(60), 'c3');
    timeline.add(update(60, 'other'), 'c4');
    expect(timeline.perMinute('notes', start + 60_000)).toBe(2);
    expect(timeline.perMinute('unknown', start + 60_000)).toBe(0);
  });
});
