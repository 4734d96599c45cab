import { describe, expect, it } from 'vitest';
import type { TrackerEvent } from './event.ts';
import { eventFilter } from './event-filter.ts';

const timestamp = '2026-11-16T08:00:00.000Z';
const update = (resourceUri: string, serverId = 'notes'): TrackerEvent => {
  return { type: 'resource_update', serverId, resourceUri, timestamp };
};

describe('the filter of an event stream', () => {
  it('passes everything by default', () => {
    expect(eventFilter({})(update('a://1'))).toBe(true);
  });

  it('passes the events of one server, and gaps of all', () => {
    const passes = eventFilter({ server: 'notes' });
    expect([passes(update('a://1')), passes(update('a://1', 'other'))]).toEqual([true, false]);
    expect(passes({ type: 'gap', timestamp })).toBe(true);
    expect(passes({ type: 'gap', serverId: 'other', timestamp })).toBe(false);
  });

  it.each([
    ['a://1', 'a://1', true],
    ['a://1', 'a://12', false],
    ['a://*', 'a://1', true],
    ['a://*', 'a://1/2', false],
    ['a://**', 'a://1/2', true],
    ['a://*/2', 'a://1/2', true],
  ])('interprets %s like patterns of the configuration: %s is %s', (uri, resourceUri, isPassed) => {
    expect(eventFilter({ uri })(update(resourceUri))).toBe(isPassed);
  });

  it('passes a change of the list that concerns a matching resource, and no definitions', () => {
    const passes = eventFilter({ uri: 'a://**' });
    const list = (added: string[], removed: string[]): TrackerEvent => {
      return { type: 'list_changed', serverId: 'notes', added, removed, timestamp };
    };
    expect([passes(list(['b://1'], ['a://1'])), passes(list(['b://1'], []))]).toEqual([true, false]);
    const kind = 'tool' as const;
    expect(
      passes({ type: 'definition_changed', serverId: 'notes', kind, name: 'x', held: false, changes: [], timestamp }),
    ).toBe(false);
  });
});
