import type { Upstream } from '@tidings/track';
import type { Catalog } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { CatalogReview } from './catalog-review.ts';

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
  it('concerns everything where servers or templates changed, and otherwise what a list gained or lost', () => {
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
