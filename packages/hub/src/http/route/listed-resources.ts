// The resources of all servers for the API: those that the caller may see and that match its query.
import type { Resource } from '@modelcontextprotocol/client';
import { type Caller, LiveError } from '@tidings/live';
import type { TimeSlice } from '@tidings/live/time';
import type { Upstream } from '@tidings/track';
import { addressOf } from '../../gateway/owner/address.ts';
import type { CallerGateways } from '../../gateway/caller-gateways.ts';
import type { Views } from '../../gateway/view.ts';

interface ResourceQuery {
  server?: string | undefined;
  /** Words that all occur in the URI, name or title. */
  q?: string | undefined;
}

export interface ListingDeps {
  gateways: Pick<CallerGateways, 'of'>;
  views: Pick<Views, 'catalogs'>;
  /** One time slice for all requests: together they must not block longer than one. */
  slice: TimeSlice;
}

interface OwnedResource {
  upstream: Upstream;
  resource: Resource;
}

/** In time slices: there may be thousands. */
export async function listedResources(
  deps: ListingDeps,
  caller: Caller,
  { server, q = '' }: ResourceQuery,
): Promise<OwnedResource[]> {
  const gateways = deps.gateways.of(caller);
  const permissions = gateways.permissionsOf(caller);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const upstreams = [...gateways.upstreams].filter(
    ({ id }) => (server === undefined || id === server) && permissions.sees(id),
  );
  const found: OwnedResource[] = [];
  for (const { upstream, resources } of await deps.views.catalogs(upstreams, caller)) {
    for (const resource of await permissions.openAmong(upstream.id, resources)) {
      const pause = deps.slice.pause();
      if (pause) await pause;
      if (isSought(resource, words)) found.push({ upstream, resource });
    }
  }
  return found;
}

function isSought({ uri, name, title = '' }: Resource, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${uri} ${name} ${title}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Where the page begins that follows the resource with this address. */
export function indexAfterAddress(found: readonly OwnedResource[], address: string): number {
  const index = found.findIndex((each) => addressIn(each) === address);
  if (index === -1) throw new LiveError('INVALID_PARAMS', 'after: no such resource; begin again without it.');
  return index + 1;
}

export function shownResource(listed: OwnedResource) {
  const { upstream, resource } = listed;
  const { uri, name, title, description, mimeType, size } = resource;
  const readAt = upstream.snapshot(uri)?.readAt;
  const known = { serverId: upstream.id, uri, address: addressIn(listed), name, title, description, mimeType, size };
  return readAt === undefined ? known : Object.assign(known, { readAt: new Date(readAt).toISOString() });
}

function addressIn({ upstream, resource }: OwnedResource): string {
  return addressOf({ serverId: upstream.id, uri: resource.uri });
}
