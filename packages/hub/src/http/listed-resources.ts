// The resources of all servers as the API shows them: those a caller may see, and looks for.
import type { Caller } from '@tidings/live';
import type { Catalog, Tracker, Upstream } from '@tidings/track';
import type { Permissions, PermissionsOf } from '../access/permissions.ts';
import { addressOf } from '../gateway/address.ts';
import type { Views } from '../gateway/view.ts';

export interface Sought {
  server?: string | undefined;
  /** Words that all occur in the URI, name or title. */
  q?: string | undefined;
}

export interface ListingDeps {
  tracker: Tracker;
  views: Views;
  permissionsOf: PermissionsOf;
}

export async function listedResources(deps: ListingDeps, caller: Caller, { server, q = '' }: Sought) {
  const permissions = deps.permissionsOf(caller);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const upstreams = [...deps.tracker.upstreams].filter(
    ({ id }) => (server === undefined || id === server) && permissions.sees(id),
  );
  const catalogs = await deps.views.catalogs(upstreams, caller);
  return catalogs.flatMap(({ upstream, resources }) => resourcesOf(upstream, resources, permissions, words));
}

function resourcesOf(
  upstream: Upstream,
  resources: Catalog['resources'],
  permissions: Permissions,
  words: readonly string[],
) {
  return [...resources.values()]
    .filter(({ uri, name, title = '' }) => {
      const text = `${uri} ${name} ${title}`.toLowerCase();
      return permissions.opens(upstream.id, uri) && words.every((word) => text.includes(word));
    })
    .map(({ uri, name, title, description, mimeType, size }) => {
      const readAt = upstream.snapshot(uri)?.readAt;
      const address = addressOf({ serverId: upstream.id, uri });
      const known = { serverId: upstream.id, uri, address, name, title, description, mimeType, size };
      return readAt === undefined ? known : Object.assign(known, { readAt: new Date(readAt).toISOString() });
    });
}
