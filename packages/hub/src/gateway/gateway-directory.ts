// The resources of all servers as if they were one's.
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import {
  type Caller,
  type Clock,
  type Completion,
  type Page,
  type Resolved,
  type ResourceDirectory,
  LiveError,
} from '@tidings/live';
import type { Upstream } from '@tidings/track';
import { redactionOf, scopeOf } from '../access/scope.ts';
import { addressOf, parseAddress } from './address.ts';
import { KeptWatches } from './kept-watches.ts';
import { type Owned, Ownership } from './ownership.ts';
import { pageOf } from './pages.ts';
import type { Views } from './view.ts';
import { Watches } from './watches.ts';

export interface GatewayDirectoryOptions {
  upstreams: () => Iterable<Upstream>;
  views: Views;
  clock: Clock;
  /** Says that the resource that is asked for under this URI is not what it was. */
  announce(this: void, uri: string): void;
}

/** A URI stands for itself here: whose it is may change. */
export class GatewayDirectory implements ResourceDirectory {
  readonly isEmpty = false;
  readonly completes = true;
  readonly authorizes = true;
  readonly #options: GatewayDirectoryOptions;
  readonly #ownership: Ownership;
  readonly #watches: Watches;
  readonly #kept: KeptWatches;

  constructor(options: GatewayDirectoryOptions) {
    this.#options = options;
    this.#ownership = new Ownership(options.upstreams);
    const { clock, announce } = options;
    this.#watches = new Watches({ clock, announce, ownership: this.#ownership });
    this.#kept = new KeptWatches(this.#watches, clock);
  }

  /** Servers, or what they list, changed. */
  review(): void {
    this.#watches.review();
  }

  resolve(uri: string): Resolved {
    // Refuses what is nobody's.
    this.#ownership.ownerOf(uri);
    return {
      canonical: uri,
      topics: [uri],
      watch: () => this.#watches.begin(uri),
      ready: () => this.#watches.ready(uri),
    };
  }

  /** The URI under which something that this server calls so is reached here. */
  nameOf(serverId: string, uri: string): string {
    const owned = this.#ownership.find(uri);
    return owned === undefined || owned.serverId === serverId ? uri : addressOf({ serverId, uri });
  }

  /** Watches a resource that somebody waits for. What is nobody's now may come to be somebody's. */
  async keepWatched(caller: Caller, uri: string): Promise<void> {
    const owned = this.#ownership.find(uri);
    if (owned === undefined || !this.permits(caller, uri)) return;
    if (!owned.upstream.isTracked) {
      const message = `The server "${owned.serverId}" is not tracked, so nobody can say what changed there: set its trackResources in the hub's configuration.`;
      throw new LiveError('UNAVAILABLE', message, uri);
    }
    await this.#kept.keep(uri);
  }

  permits(caller: Caller, canonical: string): boolean {
    const owned = this.#ownership.find(canonical);
    if (!scopeOf(caller).opens(owned?.uri ?? parseAddress(canonical)?.uri ?? canonical)) return false;
    if (redactionOf(caller) === undefined) return true;
    return owned === undefined || this.#options.views.has(owned.upstream, caller);
  }

  async list(caller: Caller, cursor: string | undefined): Promise<Page<Resource>> {
    return pageOf(await this.#resources(caller), ({ uri }) => uri, cursor);
  }

  templates(caller: Caller, cursor: string | undefined): Page<ResourceTemplateType> {
    return pageOf([...this.#templates(caller)], ({ uriTemplate }) => uriTemplate, cursor);
  }

  completion(template: string, variable: string, chosen: Record<string, string>, caller: Caller): Completion {
    const upstream = this.#ownership.ownerOfTemplate(template);
    if (upstream === undefined) throw new LiveError('INVALID_PARAMS', `There is no template "${template}" here.`);
    const completer = async (prefix: string) => {
      const ref = { type: 'ref/resource' as const, uri: template };
      const argument = { name: variable, value: prefix };
      const view = this.#options.views.of(upstream, caller);
      return view.use(async (client) => {
        if (client.getServerCapabilities()?.completions === undefined) return [];
        const { completion } = await client.complete({ ref, argument, context: { arguments: chosen } });
        return completion.values;
      });
    };
    // Suggestions name resources: whoever may not see them all is given none.
    const isOpen = scopeOf(caller).opens(template);
    return { completer, permits: () => isOpen };
  }

  async read(caller: Caller, uri: string): Promise<ReadResourceResult> {
    const owned = this.#ownership.ownerOf(uri);
    if (!scopeOf(caller).opens(owned.uri)) {
      throw new LiveError('PERMISSION_DENIED', 'Your credentials do not allow reading this resource.', uri);
    }
    const result = await this.#options.views.of(owned.upstream, caller).read(owned.uri);
    return underName(result, owned, uri);
  }

  async #resources(caller: Caller): Promise<Resource[]> {
    const scope = scopeOf(caller);
    const found: Resource[] = [];
    for (const { upstream, resources } of await this.#options.views.catalogs(this.#options.upstreams(), caller)) {
      for (const resource of resources.values()) {
        const { uri } = resource;
        if (!scope.opens(uri)) continue;
        const isFirst = this.#ownership.isFirst(upstream, uri);
        found.push(isFirst ? resource : { ...resource, uri: addressOf({ serverId: upstream.id, uri }) });
      }
    }
    return found;
  }

  *#templates(caller: Caller): Generator<ResourceTemplateType> {
    const scope = scopeOf(caller);
    const seen = new Set<string>();
    for (const upstream of this.#options.upstreams()) {
      if (!this.#options.views.has(upstream, caller)) continue;
      for (const template of upstream.catalog.templates) {
        if (seen.has(template.uriTemplate) || !scope.opens(template.uriTemplate)) continue;
        seen.add(template.uriTemplate);
        yield template;
      }
    }
  }
}

/** Contents carry the URI that was asked for. */
function underName(result: ReadResourceResult, { uri }: Owned, asked: string): ReadResourceResult {
  if (uri === asked) return result;
  return { ...result, contents: result.contents.map((each) => (each.uri === uri ? { ...each, uri: asked } : each)) };
}
