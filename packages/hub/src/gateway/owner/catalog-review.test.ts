import type { Upstream } from '@tidings/track';
import type { Catalog } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { CatalogReview, isSameList } from './catalog-review.ts';

type Seen = Pick<Upstream, 'catalog'> & { catalog: Catalog };

function catalog(uris: readonly string[], ...templates: string[]): Catalog {
  return {
    resources: new Map(uris.map((uri) => [uri, { uri, name: uri }])),
    templates: templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
    digest: JSON.stringify([uris, templates]),
    missing: '',
  };
}

describe('a review of catalogs', () => {
  it('covers all URIs if servers or templates changed, otherwise those added to or removed from a list', () => {
    const notes: Seen = { catalog: catalog(['note://a'], 'note://{name}') };
    const files: Seen = { catalog: catalog(['file:///x']) };
    let servers = [notes];
    const review = new CatalogReview<Seen>(() => servers);
    expect(review.take()?.('any://thing')).toBe(true);
    expect(review.take()).toBeUndefined();
    servers = [notes, files];
    expect(review.take()?.('any://thing')).toBe(true);
    notes.catalog = catalog(['note://a', 'note://b'], 'note://{name}');
    const isAffected = review.take();
    expect(['note://a', 'note://b', 'file:///x'].map((uri) => isAffected?.(uri))).toEqual([false, true, false]);
    notes.catalog = catalog(['note://a', 'note://b'], 'note://{name}', 'note://{name}/raw');
    expect(review.take()?.('any://thing')).toBe(true);
    files.catalog = catalog(['file:///x', 'other://y']);
    expect(review.take()?.('other://z')).toBe(true);
  });
});

describe('two lists of a server', () => {
  const list = catalog(['note://a', 'note://b'], 'note://{name}');
  const first = { uri: 'note://a', name: 'note://a' };

  it('are equal if clients see the same in them, in any order', () => {
    expect(isSameList(list, catalog(['note://a', 'note://b'], 'note://{name}'))).toBe(true);
    expect(isSameList(list, { ...catalog(['note://b', 'note://a'], 'note://{name}'), digest: 'other' })).toBe(true);
  });

  it('differ if titles differ', () => {
    const titled = new Map(list.resources).set('note://a', { ...first, title: 'A note' });
    expect(isSameList(list, { ...list, resources: titled, digest: 'other' })).toBe(false);
    const templates = list.templates.map((template) => ({ ...template, description: 'Any note.' }));
    expect(isSameList(list, { ...list, templates, digest: 'other' })).toBe(false);
    expect(isSameList(list, catalog(['note://a'], 'note://{name}'))).toBe(false);
    expect(isSameList(list, catalog(['note://a', 'note://c'], 'note://{name}'))).toBe(false);
  });
});
