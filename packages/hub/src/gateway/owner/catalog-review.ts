// Which URIs may have another owner after servers or their lists changed. Finding an owner compares the templates of
// every server, so it is done only for URIs that the change can affect.
import type { Upstream } from '@tidings/track';
import type { Catalog } from '@tidings/track/internal';

type ListedUpstream = Pick<Upstream, 'catalog'>;

interface Seen<T extends ListedUpstream> {
  upstream: T;
  catalog: Catalog;
}

interface Pair {
  earlier: Catalog;
  catalog: Catalog;
}

/** Matches the percent-encoded form that agents are shown; which URI it stands for is not known here. */
const maybePlain = /[%…]/;

/** Whether the owner of this URI may have changed. */
type IsAffected = (uri: string) => boolean;

export class CatalogReview<T extends ListedUpstream> {
  readonly #upstreams: () => Iterable<T>;
  #seen: readonly Seen<T>[] = [];

  constructor(upstreams: () => Iterable<T>) {
    this.#upstreams = upstreams;
  }

  /** Compares with the catalogs of the last call; undefined if nothing changed. */
  take(): IsAffected | undefined {
    const before = this.#seen;
    const now = [...this.#upstreams()].map((upstream) => ({ upstream, catalog: upstream.catalog }));
    this.#seen = now;
    const isSameServers = now.length === before.length && now.every((each, n) => each.upstream === before[n]?.upstream);
    if (!isSameServers) return () => true;
    const pairs = now.flatMap(({ catalog }, n) => {
      const earlier = before[n]?.catalog;
      return earlier === undefined || earlier === catalog ? [] : [{ earlier, catalog }];
    });
    if (pairs.length === 0) return undefined;
    // Templates and schemes can affect any URI; a listed resource affects only its own.
    if (pairs.some(({ earlier, catalog }) => shapeOf(earlier) !== shapeOf(catalog))) return () => true;
    const isOther = ({ earlier, catalog }: Pair, uri: string) =>
      earlier.resources.has(uri) !== catalog.resources.has(uri);
    return (uri) => maybePlain.test(uri) || pairs.some((pair) => isOther(pair, uri));
  }
}

/** Whether clients see the same resources and templates in both, in any order. */
export function isSameList(one: Catalog, other: Catalog): boolean {
  if (one === other || (one.digest === other.digest && one.digest !== '')) return true;
  if (one.resources.size !== other.resources.size) return false;
  if (JSON.stringify(one.templates) !== JSON.stringify(other.templates)) return false;
  // Digests may differ for equal lists: that of a pinned server differs if it was read through another node.
  for (const [uri, resource] of one.resources) {
    if (JSON.stringify(resource) !== JSON.stringify(other.resources.get(uri))) return false;
  }
  return true;
}

function shapeOf({ resources, templates }: Catalog): string {
  const schemes = new Set([...resources.keys()].map((uri) => uri.slice(0, uri.indexOf(':')).toLowerCase()));
  return JSON.stringify([templates.map(({ uriTemplate }) => uriTemplate), [...schemes].toSorted()]);
}
