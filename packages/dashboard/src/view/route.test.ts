import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { href, parseRoute, withQuery } from './route.ts';

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null });
});
afterEach(() => vi.unstubAllGlobals());

describe('a route', () => {
  it('is read back from the address that it is written to', () => {
    const query = { uri: 'note://a b&c=d', server: 'notes' };
    const route = parseRoute(href('resources', query));
    expect([route.view, Object.fromEntries(route.query)]).toEqual(['resources', query]);
    expect(parseRoute(href('timeline'))).toMatchObject({ view: 'timeline' });
  });

  it.each(['', '#', '#/nope'])('of %j is the start page, and later the servers', (hash) => {
    expect(parseRoute(hash).view).toBe('start');
    stored.set('tidings.started', '1');
    expect(parseRoute(hash).view).toBe('servers');
  });

  it('keeps other parameters when one is changed, and omits empty ones', () => {
    const query = new URLSearchParams({ server: 'a', type: 'gap' });
    expect(withQuery('timeline', query, { server: 'b' })).toBe('#/timeline?server=b&type=gap');
    expect(withQuery('timeline', query, { server: '', type: '' })).toBe('#/timeline');
  });
});
