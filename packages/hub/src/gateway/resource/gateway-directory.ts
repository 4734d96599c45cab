// The resources of all servers as one directory.
import {
  type InputRequiredResult,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  isInputRequiredResult,
} from '@modelcontextprotocol/client';
import { type CallContext, type Caller, type Clock, LiveError } from '@tidings/live';
import type {
  Completion,
  Page,
  PlainReadRequest,
  Resolved,
  ResourceDirectory,
  SubscribingClient,
} from '@tidings/live/internal';
import type { Upstream, Version } from '@tidings/track';
import { grantOf } from '../../access/grant.ts';
import type { Permissions, PermissionsOf } from '../../access/permissions.ts';
import { isNode } from '../../access/node-principal.ts';
import { addressOf, parseAddress } from '../owner/address.ts';
import { GatewayList } from './gateway-list.ts';
import { GatewayTemplates } from './gateway-templates.ts';
import { LargeResults } from './large-results.ts';
import { KeptWatches } from '../watch/kept-watches.ts';
import { type Owned, Ownership } from '../owner/ownership.ts';
import { pageOf } from './pages.ts';
import { readBy } from './read-result.ts';
import { type ReadAddress, type ReadResources, readerOf } from '../mention/read-resources.ts';
import { asAnswered } from '../relay/error-for-caller.ts';
import { type Relay, isQuestion } from '../relay/relay.ts';
import type { View, VisibleList, Views } from '../view.ts';
import { WatchKeys } from '../watch/watch-keys.ts';
import { Watches } from '../watch/watches.ts';

interface GatewayDirectoryOptions {
  upstreams: () => Iterable<Upstream>;
  views: Views;
  relay: Relay;
  /** Records reads, for the line about changes. */
  readResources?: ReadResources;
  /** Whether questions to a user name the server that asks. */
  namesAsker: boolean;
  permissionsOf: PermissionsOf;
  clock: Clock;
  /** Announces a change of the resource that clients know under this URI. */
  announce(this: void, uri: string): void;
}

interface KeptVersions {
  serverId: string;
  /** In the server's own spelling. */
  uri: string;
  versions: readonly Version[];
}

/** A URI is its own topic here, because its owner may change. */
export class GatewayDirectory implements ResourceDirectory {
  readonly completes = true;
  readonly authorizes = true;
  readonly mergesUpdates = true;
  readonly passesTrace = true;
  readonly isQuestion = isQuestion;
  readonly #options: GatewayDirectoryOptions;
  readonly #ownership: Ownership;
  readonly #keys: WatchKeys;
  readonly #watches: Watches;
  readonly #kept: KeptWatches;
  readonly #list: GatewayList<VisibleList>;
  readonly #templates: GatewayTemplates;
  readonly #large = new LargeResults();

  constructor(options: GatewayDirectoryOptions) {
    this.#options = options;
    this.#ownership = new Ownership(options.upstreams);
    this.#keys = new WatchKeys(this.#ownership);
    this.#templates = new GatewayTemplates({ ...options, ownership: this.#ownership });
    const { clock, announce, upstreams, readResources } = options;
    // Counts changes of untracked servers only: those of tracked servers are in the journal.
    const changed = ({ upstream, uri }: { upstream: Upstream; uri: string }) => {
      if (upstream.isTracked) return;
      const { id: serverId, user, isOperatorOnly } = upstream;
      readResources?.changed({ serverId, uri, user, isOperatorOnly });
    };
    this.#watches = new Watches({ clock, announce, changed, upstreams, ownership: this.#keys });
    this.#kept = new KeptWatches(this.#watches, clock);
    this.#list = new GatewayList({
      isOwner: ({ upstream }, uri, permissions) => this.#ownership.isOwner(upstream, uri, permissions),
      clock,
    });
  }

  /** Call it when servers or their lists have changed. */
  review(): void {
    this.#watches.review();
  }

  resolve(uri: string, caller: Caller): Resolved {
    const permissions = this.#options.permissionsOf(caller);
    this.#assertWatchable(uri, permissions);
    const key = this.#keys.keyOf(uri, permissions);
    return {
      canonical: key,
      key,
      topics: [key],
      watch: () => this.#watches.begin(key),
    };
  }

  /** A subscription counts as a read, so the line about changes covers the resource. */
  subscribed(caller: Caller, uris: readonly string[], subscriber: SubscribingClient): void {
    const { permissionsOf, readResources } = this.#options;
    const permissions = permissionsOf(caller);
    const reader = { caller, ...subscriber };
    for (const uri of uris) {
      const owned = this.#ownership.find(uri, permissions);
      if (owned && readResources?.subscribed(reader, readAddressOf(owned), uri) === 'full') return;
    }
  }

  /** The URI under which this caller reaches the server's resource. */
  nameOf(serverId: string, uri: string, caller: Pick<Caller, 'auth'>): string {
    const owned = this.#ownership.find(uri, this.#options.permissionsOf(caller));
    return owned === undefined || owned.serverId === serverId ? uri : addressOf({ serverId, uri });
  }

  /**
   * Watches a resource that a caller waits for. Throws if no server has it, and none that is not yet connected can have
   * it.
   */
  async keepWatched(caller: Caller, uri: string): Promise<void> {
    const permissions = this.#options.permissionsOf(caller);
    assertOpen(innerUri(uri), permissions, 'waiting for');
    if (!this.#ownership.find(uri, permissions) && this.#ownership.mayFindOwner(uri, permissions)) return;
    const owned = this.#owned(uri, permissions, 'waiting for');
    if (!owned.upstream.isTracked) {
      throw new LiveError('UNAVAILABLE', notRecorded(owned), uri);
    }
    await this.#kept.keep(caller.auth?.subject ?? '', this.#keys.keyOf(uri, permissions));
  }

  /**
   * Whether a subscription may continue. It may not if it was made under other permissions, which decide what it may
   * receive.
   */
  permits(caller: Caller, canonical: string): boolean {
    const permissions = this.#options.permissionsOf(caller);
    const uri = this.#keys.uriOf(canonical);
    if (this.#keys.keyOf(uri, permissions) !== canonical) return false;
    if (permissions.isWhole) return true;
    const owned = this.#ownership.find(uri, permissions);
    return permissions.opensUri(owned?.uri ?? innerUri(uri));
  }

  async list(caller: Caller, cursor: string | undefined): Promise<Page<Resource>> {
    const page = pageOf(await this.#resources(caller), ({ uri }) => uri, cursor);
    return this.#withMeta(page, 'resources', caller, cursor);
  }

  templates(caller: Caller, cursor: string | undefined): Page<ResourceTemplateType> {
    const page = pageOf([...this.#templates.of(caller)], ({ uriTemplate }) => uriTemplate, cursor);
    return this.#withMeta(page, 'templates', caller, cursor);
  }

  completion(requestedTemplate: string, variable: string, chosen: Record<string, string>, caller: Caller): Completion {
    return this.#templates.completion(requestedTemplate, variable, chosen, caller);
  }

  read(caller: Caller, uri: string, request: PlainReadRequest): Promise<ReadResourceResult>;
  read(caller: Caller, uri: string, context: CallContext): Promise<ReadResourceResult | InputRequiredResult>;
  async read(
    caller: Caller,
    uri: string,
    request: PlainReadRequest | CallContext,
  ): Promise<ReadResourceResult | InputRequiredResult> {
    const { relay, readResources, namesAsker } = this.#options;
    const { owned, view } = this.#readable(caller, uri);
    readResources?.reading(readerOf(caller, request), readAddressOf(owned), uri);
    const isAsked = 'mcpReq' in request;
    const reading = isAsked ? relay.read(owned, view, request, namesAsker) : relay.readPlain(owned, view, request);
    const result = await reading.catch((error: unknown) => {
      throw asAnswered(owned.upstream, caller, error);
    });
    return isInputRequiredResult(result) ? result : this.#shown(caller, owned, uri, result);
  }

  /**
   * Reads for a caller without MCP, who gets errors with the hub's own codes. `left` is aborted when the caller no
   * longer waits.
   */
  async readAlone(caller: Caller, uri: string, left: AbortSignal): Promise<ReadResourceResult> {
    const { owned, view } = this.#readable(caller, uri);
    return this.#shown(caller, owned, uri, await view.read(owned.uri, left));
  }

  /**
   * Past contents of a tracked resource, the oldest first. They are as the server sent them, so callers with a
   * redaction get none.
   */
  versions(caller: Caller, uri: string): KeptVersions {
    const permissions = this.#options.permissionsOf(caller);
    const { upstream, serverId, uri: own } = this.#owned(uri, permissions, 'reading');
    if (grantOf(caller).redact !== undefined) {
      throw new LiveError(
        'PERMISSION_DENIED',
        'Kept versions are not redacted, so your credentials do not show them.',
        uri,
      );
    }
    const isOpen = (content: { uri: string }) => content.uri === own || permissions.opens(serverId, content.uri);
    return { serverId, uri: own, versions: upstream.versions(own).filter(({ contents }) => contents.every(isOpen)) };
  }

  /**
   * Adds the server's `_meta` of the list, if there is one server and one page. A pinned server's `_meta` is left out,
   * since no person has agreed to it, and so is that for a limited caller, since it may describe hidden items.
   */
  #withMeta<T>(page: Page<T>, list: 'resources' | 'templates', caller: Caller, cursor: string | undefined): Page<T> {
    const { namesAsker, upstreams, permissionsOf } = this.#options;
    const isWholeList = cursor === undefined && page.nextCursor === undefined;
    if (namesAsker || !isWholeList || !permissionsOf(caller).isWhole) return page;
    const [upstream] = upstreams();
    const meta = upstream?.entry.pin === true ? undefined : upstream?.catalog.meta?.[list];
    return meta === undefined ? page : { ...page, _meta: { ...meta } };
  }

  #readable(caller: Caller, uri: string): { owned: Owned; view: View } {
    const permissions = this.#options.permissionsOf(caller);
    const owned = this.#owned(uri, permissions, 'reading');
    return { owned, view: this.#options.views.of(owned.upstream, caller) };
  }

  async #shown(caller: Caller, owned: Owned, uri: string, result: ReadResourceResult): Promise<ReadResourceResult> {
    await this.#large.turn(result);
    return readBy({ caller, owned, permissions: this.#options.permissionsOf(caller) }, uri, result);
  }

  /** Throws if the caller may not read the URI, or no server has it. */
  #owned(uri: string, permissions: Permissions, what: string): Owned {
    // Checked before a server is looked up, so that the error does not reveal which servers exist.
    assertOpen(innerUri(uri), permissions, what);
    const owned = this.#ownership.ownerOf(uri, permissions);
    // The server may use another spelling of the URI.
    assertOpen(owned.uri, permissions, what);
    return owned;
  }

  /** A URI without an owner can be watched only while one may still be found. */
  #assertWatchable(uri: string, permissions: Permissions): void {
    const isAwaited = this.#ownership.mayFindOwner(uri, permissions) && !this.#ownership.find(uri, permissions);
    if (isAwaited) assertOpen(innerUri(uri), permissions, 'subscribing to');
    else this.#owned(uri, permissions, 'subscribing to');
  }

  async #resources(caller: Caller): Promise<readonly Resource[]> {
    const { upstreams, views, permissionsOf } = this.#options;
    const permissions = permissionsOf(caller);
    const visible = [...upstreams()].filter(({ id }) => permissions.sees(id));
    const unknown = isNode(caller) ? visible.find(({ isListKnown }) => !isListKnown) : undefined;
    // Given an empty list, another node would assume a server without resources.
    if (unknown) throw new LiveError('UNAVAILABLE', `The list of resources of "${unknown.id}" is not known yet.`);
    return this.#list.of(permissions, await views.catalogs(visible, caller));
  }
}

function readAddressOf({ serverId, uri, upstream: { user } }: Owned): ReadAddress {
  return { serverId, uri, user };
}

function notRecorded({ serverId, upstream }: Owned): string {
  if (upstream.user !== undefined)
    return `At the server "${serverId}" every user has a login of its own, so its changes are not recorded: subscribe to the resource.`;
  return `The server "${serverId}" is not tracked, so its changes are not recorded: set its trackResources in the hub's configuration.`;
}

function assertOpen(uri: string, permissions: Permissions, what: string): void {
  if (permissions.opensUri(uri)) return;
  throw new LiveError('PERMISSION_DENIED', `Your credentials do not allow ${what} this resource.`, uri);
}

/** The URI for the server: the one inside an address, or the URI itself. */
function innerUri(uri: string): string {
  return parseAddress(uri)?.uri ?? uri;
}
