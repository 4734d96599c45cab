// The resources of all servers as the API shows them: those a caller may see, and looks for.
import type { Caller } from '@tidings/live';
import type { Catalog, Tracker, Upstream } from '@tidings/track';
import { type Scope, scopeOf } from '../access/scope.ts';
import { addressOf } from '../gateway/address.ts';
import type { Views } from '../gateway/view.ts';

export interface Sought {
  server?: string | undefined;
  /** Words that all occur in the URI, name or title. */
  q?: string | undefined;
}

export async function listedResources(tracker: Tracker, views: Views, caller: Caller, { server, q = '' }: Sought) {
  const scope = scopeOf(caller);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const upstreams = [...tracker.upstreams].filter(({ id }) => server === undefined || id === server);
  const catalogs = await views.catalogs(upstreams, caller);
  return catalogs.flatMap(({ upstream, resources }) => resourcesOf(upstream, resources, scope, words));
}

function resourcesOf(upstream: Upstream, resources: Catalog['resources'], scope: Scope, words: readonly string[]) {
  return [...resources.values()]
    .filter(({ uri, name, title = '' }) => {
      const text = `${uri} ${name} ${title}`.toLowerCase();
      return scope.opens(uri) && words.every((word) => text.includes(word));
    })
    .map(({ uri, name, title, description, mimeType, size }) => {
      const readAt = upstream.snapshot(uri)?.readAt;
      const address = addressOf({ serverId: upstream.id, uri });
      const known = { serverId: upstream.id, uri, address, name, title, description, mimeType, size };
      return readAt === undefined ? known : Object.assign(known, { readAt: new Date(readAt).toISOString() });
    });
}
