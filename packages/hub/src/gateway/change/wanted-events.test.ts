import type { TrackerEvent } from '@tidings/client/contract';
import { describe, expect, it } from 'vitest';
import { wantedEvents } from './wanted-events.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const update = (resourceUri: string, serverId = 's'): TrackerEvent => ({
  type: 'resource_update',
  serverId,
  resourceUri,
  timestamp,
});
const list = (added: string[], removed: string[] = []): TrackerEvent => ({
  type: 'list_changed',
  serverId: 's',
  added,
  removed,
  timestamp,
});
const gap = (serverId?: string): TrackerEvent => ({
  type: 'gap',
  ...(serverId !== undefined && { serverId }),
  timestamp,
});

/** Here, resources of the server "later" have an address, others have their own URI. */
const nameOf = (serverId: string, uri: string) =>
  serverId === 'later' ? `tidings://later/${encodeURIComponent(uri)}` : uri;
const wanted = (...uris: string[]) => wantedEvents(uris, nameOf);

describe('the events that a call waits for', () => {
  it('are all events if no URIs are given', () => {
    expect(wantedEvents(undefined, nameOf)(update('note://a'))).toBe(true);
  });

  it('are those about one of the URIs, or one that a pattern matches', () => {
    const is = wanted('note://a', 'log://*');
    expect([update('note://a'), update('note://b'), update('log://x'), update('log://x/y')].map(is)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('include lists that a wanted URI enters or leaves', () => {
    const is = wanted('note://a');
    expect(is(list(['note://a']))).toBe(true);
    expect(is(list([], ['note://a']))).toBe(true);
    expect(is(list(['note://b'], ['note://c']))).toBe(false);
  });

  it('match a URI in the spelling that agents are shown', () => {
    expect(wanted('note://a%20b')(update('note://a b'))).toBe(true);
    expect(wanted('note://a b')(update('note://a b'))).toBe(true);
  });

  it('tell the same URI of two servers apart by its address', () => {
    const address = 'tidings://later/note%3A%2F%2Fa';
    expect(wanted(address)(update('note://a', 'later'))).toBe(true);
    expect(wanted(address)(update('note://a'))).toBe(false);
    expect(wanted('note://a')(update('note://a', 'later'))).toBe(false);
    expect(wanted('**')(update('note://a', 'later'))).toBe(true);
  });

  it('include a gap of all servers, or of one that is waited for', () => {
    const ofOne = wanted('tidings://s/note%3A%2F%2Fa');
    expect([gap(), gap('s'), gap('other')].map(ofOne)).toEqual([true, true, false]);
    expect(wanted('note://a')(gap('other'))).toBe(true);
  });

  it('include no other kind', () => {
    expect(wanted('**')({ type: 'server_state', serverId: 's', state: 'live', timestamp })).toBe(false);
  });
});
