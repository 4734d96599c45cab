// Decides which events match one `wait_for_change`. Every event is compared with every waiting call, so the requested
// URIs are indexed once: the time per event depends on its own URIs, not on the number of requested ones.
import type { TrackerEvent } from '@tidings/client/contract';
import { plainUri } from '@tidings/client/tell';
import { type UriPattern, isPattern, uriPattern } from '@tidings/client/contract';
import { parseAddress } from '../owner/address.ts';
import type { NameOfResource } from './named-event.ts';

/** URIs and patterns. Compared with the form of URIs that agents are shown. */
class WantedUriPatterns {
  readonly #exact = new Set<string>();
  readonly #patterns: UriPattern[] = [];
  #coversAddresses = false;

  add(text: string): void {
    const plain = plainUri(text);
    if (!isPattern(plain)) {
      this.#exact.add(plain);
      return;
    }
    this.#patterns.push(uriPattern(plain));
    if ('tidings://'.startsWith(plain.slice(0, plain.indexOf('*')))) this.#coversAddresses = true;
  }

  /** Whether a pattern has its first wildcard so early that it may match `tidings://` addresses. */
  get coversAddresses(): boolean {
    return this.#coversAddresses;
  }

  has(uri: string): boolean {
    const shown = plainUri(uri);
    return this.#exact.has(shown) || this.#patterns.some((pattern) => pattern.test(shown));
  }
}

/** Without URIs every event matches; otherwise events about one of the URIs, in any spelling. */
export function wantedEvents(
  uris: readonly string[] | undefined,
  nameOf: NameOfResource,
): (event: TrackerEvent) => boolean {
  if (uris === undefined) return () => true;
  const plain = new WantedUriPatterns();
  const byServer = new Map<string, WantedUriPatterns>();
  let isAnyPlain = false;
  for (const uri of uris) {
    const address = parseAddress(uri);
    if (address === undefined) {
      plain.add(uri);
      isAnyPlain = true;
      continue;
    }
    const names = byServer.get(address.serverId) ?? new WantedUriPatterns();
    byServer.set(address.serverId, names);
    names.add(address.uri);
  }
  const { coversAddresses } = plain;
  // The name on the gateway is the URI itself or an address; finding out which searches every server, so the cheap
  // check comes first.
  const isNamed = (serverId: string, uri: string) =>
    (coversAddresses || plain.has(uri)) && plain.has(nameOf(serverId, uri));
  const isWanted = (serverId: string, uri: string) =>
    byServer.get(serverId)?.has(uri) === true || isNamed(serverId, uri);
  return (event) => {
    switch (event.type) {
      case 'resource_update':
        return isWanted(event.serverId, event.resourceUri);
      case 'list_changed':
        return [...event.added, ...event.removed].some((uri) => isWanted(event.serverId, uri));
      case 'gap':
        return isAnyPlain || event.serverId === undefined || byServer.has(event.serverId);
      default:
        return false;
    }
  };
}
