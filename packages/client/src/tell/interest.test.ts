import { describe, expect, it } from 'vitest';
import { Interest } from './interest.ts';
import type { News } from './news.ts';

const timestamp = '2030-01-01T00:00:00.000Z';
const update = (serverId: string, resourceUri: string): News => ({
  type: 'resource_update',
  serverId,
  resourceUri,
  timestamp,
});
const gap = (serverId?: string): News => ({ type: 'gap', serverId, timestamp });

describe('Interest', () => {
  it('covers everything without options', () => {
    expect([update('notes', 'note://a'), gap(), gap('notes')].every((news) => new Interest({}).covers(news))).toBe(
      true,
    );
  });

  it('covers only the named servers', () => {
    const interest = new Interest({ servers: ['notes'] });
    expect(interest.covers(update('notes', 'note://a'))).toBe(true);
    expect(interest.covers(update('vcon', 'note://a'))).toBe(false);
    expect(interest.covers(gap('vcon'))).toBe(false);
  });

  it('covers only resources that match a pattern', () => {
    const interest = new Interest({ uris: ['note://a', 'vcon://*'] });
    expect(interest.covers(update('notes', 'note://a'))).toBe(true);
    expect(interest.covers(update('notes', 'note://b'))).toBe(false);
    expect(interest.covers(update('vcon', 'vcon://1/parties'))).toBe(false);
  });

  it('covers a gap of a named server or of all servers, with any patterns', () => {
    const interest = new Interest({ servers: ['notes'], uris: ['note://a'] });
    expect(interest.covers(gap('notes'))).toBe(true);
    expect(interest.covers(gap())).toBe(true);
  });

  it('covers nothing with an empty list', () => {
    expect(new Interest({ uris: [] }).covers(update('notes', 'note://a'))).toBe(false);
    expect(new Interest({ servers: [] }).covers(gap('notes'))).toBe(false);
  });
});
