import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ListedResources, schemeLength } from './listed-resources.ts';

const resource = (serverId: string, uri: string) => ({
  serverId,
  uri,
  address: `tidings://${serverId}/${uri}`,
  name: uri,
});

/** A hub that lists these resources, one per page. */
function hubWith(...resources: ReturnType<typeof resource>[]): void {
  vi.stubGlobal('fetch', async (address: string) => {
    const after = Number(new URLSearchParams(address.split('?')[1]).get('after') ?? 0);
    const next_cursor = after + 1 < resources.length ? String(after + 1) : null;
    return Response.json({ resources: resources.slice(after, after + 1), total: resources.length, next_cursor });
  });
}

describe('the catalog of resources', () => {
  beforeEach(() => vi.stubGlobal('requestAnimationFrame', () => 0));
  afterEach(() => vi.unstubAllGlobals());

  it('contains the resources of every page, by server', async () => {
    hubWith(resource('a', 'note://1'), resource('b', 'note://1'), resource('a', 'note://2'));
    const catalog = new ListedResources();
    expect(catalog.isLoaded).toBe(false);
    await catalog.reload();
    expect([catalog.isLoaded, catalog.version]).toEqual([true, 1]);
    expect([catalog.countOf('a'), catalog.countOf('b'), catalog.countOf('c')]).toEqual([2, 1, 0]);
    expect(catalog.find('b', 'note://1')?.address).toBe('tidings://b/note://1');
    expect(catalog.find('b', 'note://2')).toBeUndefined();
  });

  it('keeps the list that was requested last, whichever answer comes last', async () => {
    const pending: ((uris: string[]) => void)[] = [];
    vi.stubGlobal('fetch', () => {
      return new Promise<Response>((resolve) => {
        pending.push((uris) => {
          const resources = uris.map((uri) => resource('a', uri));
          resolve(Response.json({ resources, total: resources.length, next_cursor: null }));
        });
      });
    });
    const catalog = new ListedResources();
    const [first, second] = [catalog.reload(), catalog.reload('a')];
    pending[1]?.(['note://new']);
    await second;
    pending[0]?.(['note://old']);
    await first;
    expect([catalog.isLoaded, catalog.resources.map(({ uri }) => uri)]).toEqual([true, ['note://new']]);
    const [third, fourth] = [catalog.reload('a'), catalog.reload()];
    pending[3]?.(['note://newest']);
    await fourth;
    pending[2]?.(['note://new']);
    await third;
    expect(catalog.resources.map(({ uri }) => uri)).toEqual(['note://newest']);
  });

  it('returns the last change of a resource, of a URI prefix, and of a server', () => {
    const catalog = new ListedResources();
    catalog.updated('a', 'note://desk/drawer/1', 10);
    catalog.updated('a', 'note://desk/2', 20);
    expect(catalog.changeOf('a', 'note://desk/drawer/1')).toEqual({ at: 10, count: 1 });
    expect(catalog.changeOf('a', 'note://desk/drawer/')).toEqual({ at: 10, count: 1 });
    expect(catalog.changeOf('a', 'note://desk/')).toEqual({ at: 20, count: 2 });
    expect(catalog.changeOf('a', '')).toEqual({ at: 20, count: 2 });
    expect(catalog.changeOf('b', 'note://desk/')).toBeUndefined();
  });

  it.each([
    ['note://desk', 7],
    ['urn:isbn:1', 4],
    ['file:///etc', 8],
    ['no scheme', 0],
  ])('finds where the scheme of %s ends', (uri, length) => {
    expect(schemeLength(uri)).toBe(length);
  });
});
