// The MCP clients of the hub: those with an open stream or session, and those with a recent request. A 2025-era client
// is identified by its session; a 2026-07-28 client has none, so requests with the same name, version and token count
// as one client.
import { startOf } from '@tidings/live/portable';
import type { ClientStatus } from '@tidings/client/contract';
import type { Clock, ObservedRequest } from '@tidings/live';
import { type OpenConnection, digestOf } from '@tidings/live/internal';
import { isNode } from '../../access/node-principal.ts';
import { SubjectMap } from '../../base/subject-map.ts';
import { withoutSecretsInUri } from '../../base/without-secrets.ts';
import type { Address } from '../../gateway/owner/address.ts';
import { type ReadResources, type Reader, readerKey } from '../../gateway/mention/read-resources.ts';

/** How long a client without a stream is shown after its last request. */
const rememberedMs = 15 * 60_000;
/** Limits per token and in total; the clients seen longest ago are dropped first. */
const limits = { ofSubject: 200, together: 2000 };
const mostUris = 100;
const longestName = 200;
const longestAbout = 500;

interface KnownClient {
  readonly reader: Reader;
  readonly endpoints: Set<string>;
  readonly since: number;
  lastSeen: number;
  requests: number;
  failures: number;
  lastRequest: LastRequest | undefined;
}

interface LastRequest {
  readonly method: string;
  /** The tool, prompt or resource, as the client sent it. */
  readonly about: string;
}

/** A connection with the path of the endpoint it is open at. */
export interface ConnectionAt {
  readonly connection: OpenConnection;
  readonly endpoint: string;
}

/** The clients and resources that a caller may see. */
export interface ClientVisibility {
  /** Clients of this token. */
  isShown(this: void, subject: string): boolean;
  /** Whether the caller may see this resource: the client may have read it with other permissions. */
  isOpen(this: void, address: Address): boolean;
}

export interface KnownClientsDeps {
  clock: Clock;
  readResources: Pick<ReadResources, 'readBy'>;
}

export class KnownClients {
  readonly #deps: KnownClientsDeps;
  /** In the order of their last request. */
  readonly #clients = new SubjectMap<KnownClient>(limits, ({ reader }) => subjectOf(reader));

  constructor(deps: KnownClientsDeps) {
    this.#deps = deps;
  }

  /** Called with every request of an endpoint. */
  seen(request: ObservedRequest, endpoint: string): void {
    const { caller, client, sessionId, code } = request;
    // Another node has its own clients; a 2025-era request without a session was refused.
    if (isNode(caller) || (caller.era === 'legacy' && sessionId === undefined)) return;
    const known = this.#touch({ caller, client: shortClient(client), sessionId }, endpoint);
    known.requests += 1;
    if (code !== undefined) known.failures += 1;
    known.lastRequest = lastRequest(request);
  }

  /** The clients that the caller may see, with their open streams; the connected ones first. */
  list(connections: readonly ConnectionAt[], { isShown, isOpen }: ClientVisibility): ClientStatus[] {
    const open = new Map<string, OpenConnection[]>();
    for (const { connection, endpoint } of connections) {
      const { caller, client, sessionId } = connection;
      if (isNode(caller)) continue;
      const reader = { caller, client: shortClient(client), sessionId };
      const key = readerKey(reader);
      if (!this.#clients.has(key)) this.#touch(reader, endpoint);
      // A client may have thousands.
      const others = open.get(key);
      if (others) others.push(connection);
      else open.set(key, [connection]);
    }
    const oldest = this.#deps.clock.date() - rememberedMs;
    return [...this.#clients]
      .filter(([key, { lastSeen, reader }]) => {
        const isLeft = !open.has(key) && (lastSeen < oldest || reader.caller.era === 'legacy');
        if (isLeft) this.#clients.delete(key);
        return !isLeft && isShown(subjectOf(reader));
      })
      .map(([key, client]) => this.#status(key, client, open.get(key) ?? [], isOpen))
      .toSorted((a, b) => Number(b.connected) - Number(a.connected) || b.lastSeen.localeCompare(a.lastSeen));
  }

  #status(
    key: string,
    known: KnownClient,
    open: readonly OpenConnection[],
    isOpen: ClientVisibility['isOpen'],
  ): ClientStatus {
    const read = this.#deps.readResources.readBy(known.reader).filter(isOpen);
    const { reader, endpoints, since, lastSeen, requests, failures, lastRequest } = known;
    const { caller, client } = reader;
    const watched = open.map(({ watching }) => watching.urisUpTo(mostUris));
    return {
      // A digest, because the key contains the id of the session, which is enough to use the session.
      id: digestOf(key, 'hex').slice(0, 12),
      name: client?.name ?? '',
      version: client?.version ?? '',
      era: caller.era,
      who: subjectOf(reader),
      ...(caller.address !== undefined && { address: caller.address }),
      endpoints: [...endpoints],
      connected: open.some(({ hasStream }) => hasStream),
      since: new Date(open.reduce((first, each) => Math.min(first, each.since), since)).toISOString(),
      lastSeen: new Date(lastSeen).toISOString(),
      streams: open.filter(({ hasStream }) => hasStream).length,
      requests,
      failures,
      ...(lastRequest !== undefined && { lastRequest: shownRequest(lastRequest) }),
      told: open.reduce((sum, { watching }) => sum + watching.told, 0),
      watching: watched.reduce((sum, { count }) => sum + count, 0),
      watches: [...new Set(watched.flatMap(({ uris }) => uris))].slice(0, mostUris),
      read: read.map(({ serverId, requestedUri, changes, told }) => ({
        serverId,
        uri: requestedUri,
        changes,
        mentioned: told,
      })),
    };
  }

  #touch(reader: Reader, endpoint: string): KnownClient {
    const key = readerKey(reader);
    const now = this.#deps.clock.date();
    const client = this.#clients.get(key) ?? {
      reader,
      endpoints: new Set(),
      since: now,
      lastSeen: now,
      requests: 0,
      failures: 0,
      lastRequest: undefined,
    };
    client.lastSeen = now;
    client.endpoints.add(endpoint);
    this.#clients.set(key, client);
    return client;
  }
}

function subjectOf({ caller }: Reader): string {
  return caller.auth?.subject ?? '';
}

/** A name may be as long as a request. */
function shortClient(client: Reader['client']): Reader['client'] {
  return client && { name: startOf(client.name, longestName), version: startOf(client.version, longestName) };
}

/** Runs with every request, so it copies only the needed fields. */
function lastRequest({ method, params }: ObservedRequest): LastRequest {
  const { name, uri }: { name?: unknown; uri?: unknown } = Object(params);
  const about = [name, uri].find((each) => typeof each === 'string') ?? '';
  return { method: startOf(method, longestName), about: startOf(about, longestAbout) };
}

function shownRequest({ method, about }: LastRequest): string {
  return about === '' ? method : `${method} ${withoutSecretsInUri(about)}`;
}
