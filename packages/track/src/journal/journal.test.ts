import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { Journal, type JournalEntry } from './journal.ts';

const reported: string[] = [];
const log = { warn: () => undefined, error: (_: object, message: string) => void reported.push(message) };

function journal(entries: number, earlier: readonly JournalEntry[] = [], bytes = 1_000_000) {
  const written: JournalEntry[] = [];
  const made = new Journal({
    clock: new FakeClock(Date.parse('2026-07-28T00:00:00Z')),
    limits: { entries, bytes },
    life: 'life',
    earlier,
    log,
  });
  return Object.assign(made, {
    written,
    tell: (uri: string) => {
      const entry = made.append({ type: 'resource_update', serverId: 's', resourceUri: uri });
      written.push(entry);
      return entry;
    },
  });
}

const urisOf = (entries: readonly JournalEntry[]) =>
  entries.map(({ event }) => (event.type === 'resource_update' ? event.resourceUri : event.type));

describe('the journal', () => {
  it('dates events, keeps their order and returns them for the archive', () => {
    const j = journal(100);
    const told: number[] = [];
    j.follow(() => told.push(j.end));
    for (const uri of ['a', 'b', 'c']) j.tell(uri);
    expect(urisOf(j.read().entries)).toEqual(['a', 'b', 'c']);
    expect(j.at(1)?.event.timestamp).toBe('2026-07-28T00:00:00.000Z');
    expect(j.written.map(({ cursor }) => cursor)).toEqual(['life-1', 'life-2', 'life-3']);
    expect(told).toEqual([2, 3, 4]);
  });

  it('calls the other followers when one throws', () => {
    const j = journal(100);
    const told: string[] = [];
    j.follow(() => {
      throw new Error('a follower that fails');
    });
    j.follow(() => told.push('told'));
    j.tell('a');
    expect(told).toEqual(['told']);
    expect(reported).toEqual(['A listener for changes has thrown an error.']);
  });

  it('continues after any cursor, in pages', () => {
    const j = journal(100);
    const first = j.tell('a');
    for (const uri of ['b', 'c', 'd']) j.tell(uri);
    const page = j.read({ after: first.cursor, limit: 2 });
    expect(urisOf(page.entries)).toEqual(['b', 'c']);
    expect(urisOf(j.read({ after: page.cursor }).entries)).toEqual(['d']);
    expect(j.read({ after: j.cursor })).toEqual({ entries: [], hasGap: false, cursor: j.cursor });
  });

  it('is limited in events, and marks missing ones', () => {
    const j = journal(100);
    const first = j.tell('first');
    for (let n = 0; n < 1000; n += 1) j.tell(`${n}`);
    expect(j.end - j.start).toBeLessThanOrEqual(113);
    expect(j.positionAfter(first.cursor)).toBeUndefined();
    expect(j.read({ after: first.cursor }).hasGap).toBe(true);
    expect(j.read({ after: 'nonsense' }).hasGap).toBe(true);
    expect(j.positionAfter(j.cursor)).toBe(j.end);
  });

  it('is limited in bytes too', () => {
    const j = journal(1000, [], 10_000);
    for (let n = 0; n < 100; n += 1) j.tell('x'.repeat(1000));
    expect(j.end - j.start).toBeLessThan(12);
    expect(j.end - j.start).toBeGreaterThan(5);
  });

  it('resolves the position before its first event, and the cursors of an earlier run', () => {
    const before = journal(100);
    const start = before.cursor;
    before.tell('a');
    expect(urisOf(before.read({ after: start }).entries)).toEqual(['a']);
    const after = new Journal({
      clock: new FakeClock(),
      limits: { entries: 100, bytes: 1000 },
      life: 'next',
      earlier: before.written,
      log,
    });
    expect(after.positionAfter('life-1')).toBe(2);
    expect(after.positionAfter(after.cursor)).toBe(2);
  });

  it('reports an expired cursor once, even if it is empty', () => {
    const { hasGap, cursor } = journal(100).read({ after: 'gone' });
    expect([hasGap, journal(100).read({ after: cursor }).hasGap]).toEqual([true, false]);
  });

  it('counts an event of a shared journal once it is read back', () => {
    const shared = new Journal({
      clock: new FakeClock(),
      limits: { entries: 100, bytes: 1000 },
      life: 'one',
      isShared: true,
      earlier: [],
      log,
    });
    const start = shared.cursor;
    const own = shared.append({ type: 'resource_update', serverId: 's', resourceUri: 'own' });
    expect(shared.read().entries).toEqual([]);
    shared.admit([{ ...own, cursor: 'two-1' }, own]);
    expect(shared.read({ after: start }).entries.map(({ cursor }) => cursor)).toEqual(['two-1', 'one-1']);
    expect(shared.read({ after: 'two-1' }).entries.map(({ cursor }) => cursor)).toEqual(['one-1']);
  });

  it('has a gap for every reader after events were lost', () => {
    const j = journal(100);
    j.tell('a');
    const { cursor } = j;
    const position = j.end;
    j.lose();
    expect(j.read({ after: cursor }).hasGap).toBe(true);
    expect(position).toBeLessThan(j.start);
  });
});
