// The resources of all servers as the API shows them: those a caller may see, and looks for.
import type { Tracker, Upstream } from '@tidings/track';
import type { Scope } from '../access/scope.ts';
import { addressOf } from '../gateway/address.ts';

export interface Sought {
  server?: string | undefined;
  /** Words that all occur in the URI, name or title. */
  q?: string | undefined;
}

export function listedResources(tracker: Tracker, scope: Scope, { server, q = '' }: Sought) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return [...tracker.upstreams]
    .filter(({ id }) => server === undefined || id === server)
    .flatMap((upstream) => resourcesOf(upstream, scope, words));
}

function resourcesOf(upstream: Upstream, scope: Scope, words: readonly string[]) {
  return [...upstream.catalog.resources.values()]
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
