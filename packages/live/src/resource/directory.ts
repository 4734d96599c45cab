// All routes of a server as a `ResourceDirectory`: lists, reads, completions, and the topics resources depend on.
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { LiveError } from '../base/error.ts';
import type { Log } from '../base/log.ts';
import { isPromiseLike } from '../portable/is-promise-like.ts';
import { listPage, templatePage } from './catalog.ts';
import { type Completion, completerOf } from './complete.ts';
import { toReadResult } from './content.ts';
import { failureOf } from './handler-failure.ts';
import type { CallContext, ClientLog } from './call-context.ts';
import type { Caller } from './caller.ts';
import type { Page, PlainReadRequest, Resolved, ResourceDirectory } from './resource-directory.ts';
import { type ReadRequest, Route, type RouteOptions } from './route.ts';
import { type Match, RouteTable } from './route-table.ts';
import { RouteWatches } from './route-watches.ts';
import type { AnyParams } from './template-params.ts';
import { UriTemplate } from './template.ts';

/** Whether this caller may see this resource. The URI is canonical. */
export type Authorize = (caller: Caller, uri: string) => boolean | Promise<boolean>;

/** URIs that are canonical beyond doubt, and need no lookup. */
const canonicalPattern = /^[a-z][a-z0-9+.-]*:[\w.~/-]*[\w.~-]$/;

interface DirectoryOptions {
  authorize: Authorize | undefined;
  pageSize: number;
  maxUriLength: number;
  ignoreTrailingSlash: boolean;
  log: Log;
}

export class Directory implements ResourceDirectory {
  readonly #options: DirectoryOptions;
  readonly #routes: Route[] = [];
  readonly #table = new RouteTable<Route>();
  readonly #aliases = new Map<Route, UriTemplate[]>();
  readonly #watches = new WeakMap<Route, RouteWatches>();

  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  add(template: string, options: RouteOptions<AnyParams>): Route {
    const route = new Route(template, options);
    this.#table.add(route.template, route);
    this.#routes.push(route);
    this.#watches.set(route, new RouteWatches(this.#options.log, template));
    return route;
  }

  /** Makes the resources of `target` reachable under the URIs of `template` too. Aliases are not listed. */
  alias(template: string, target: string): void {
    const route = this.#routes.find(({ template: { text } }) => text === target);
    if (route === undefined) throw new TypeError(`There is no route "${target}" to be reached as "${template}".`);
    const alias = new UriTemplate(template);
    const { pathNames } = route.template;
    const lastGiven = pathNames.findLastIndex((name) => alias.names.includes(name));
    // Optional parameters may be missing only at the end: see `expand`.
    const missing = pathNames.find((name, index) => {
      const isNeeded = index < lastGiven || !route.template.isOptional(name);
      return isNeeded && (!alias.names.includes(name) || (alias.isOptional(name) && !route.template.isOptional(name)));
    });
    if (missing !== undefined) throw new TypeError(`The alias "${template}" has no {${missing}} for "${target}".`);
    this.#table.add(alias, route, route.template);
    this.#aliases.set(route, [...(this.#aliases.get(route) ?? []), alias]);
  }

  remove(route: Route): boolean {
    const index = this.#routes.indexOf(route);
    if (index === -1) return false;
    this.#routes.splice(index, 1);
    for (const template of [route.template, ...(this.#aliases.get(route) ?? [])]) this.#table.remove(template);
    this.#aliases.delete(route);
    return true;
  }

  get authorizes(): boolean {
    return this.#options.authorize !== undefined;
  }

  get completes(): boolean {
    return this.#routes.some((route) => route.options.complete !== undefined);
  }

  resolve(uri: string): Resolved {
    return this.#resolved(this.#match(uri));
  }

  /** As `resolve`; undefined if no route serves the URI any more. */
  resolveIfServed(uri: string): Resolved | undefined {
    const match = this.#table.find(uri, this.#options);
    return match && this.#resolved(match);
  }

  #resolved({ route, params, canonical }: Match<Route>): Resolved {
    const { topics, watch, windowMs } = route.options;
    const others = topics === undefined ? [] : this.#topicsOf(route, () => topics(params, canonical));
    const watches = watch && this.#watches.get(route);
    return {
      canonical,
      topics: [canonical, ...others],
      windowMs,
      ...(watches && { watch: () => watches.begin(canonical, () => watch(params, canonical)) }),
    };
  }

  #topicsOf(route: Route, topics: () => readonly string[]): string[] {
    try {
      return topics().map((topic) => this.canonical(topic));
    } catch (error) {
      throw failureOf(error, { route: route.template.text, handler: 'topics' });
    }
  }

  /** Whether the URI is served by this route. */
  isServedBy(route: Route, uri: string): boolean {
    return this.#table.find(uri, this.#options)?.route === route;
  }

  /**
   * The canonical spelling of a URI, under which it is indexed. Text that is no URI of a route is returned unchanged.
   */
  canonical(topic: string): string {
    if (this.#aliases.size === 0 && canonicalPattern.test(topic)) return topic;
    return this.#table.find(topic, this.#options)?.canonical ?? topic;
  }

  /** The route of a URI; throws INVALID_URI, RESOURCE_NOT_FOUND or LIMIT_EXCEEDED. */
  #match(uri: string): Match<Route> {
    const { maxUriLength } = this.#options;
    if (uri.length > maxUriLength) {
      throw new LiveError('LIMIT_EXCEEDED', `A resource URI may have at most ${maxUriLength} characters.`);
    }
    return this.#table.match(uri, this.#options);
  }

  permits(caller: Caller, canonical: string): boolean | Promise<boolean> {
    const { authorize } = this.#options;
    if (authorize === undefined) return true;
    const answer: unknown = authorize(caller, canonical);
    // Plain JavaScript may return undefined, which counts as a denial.
    return isPromiseLike(answer) ? Promise.resolve(answer).then(Boolean) : Boolean(answer);
  }

  list(caller: Caller, cursor: string | undefined, signal?: AbortSignal): Promise<Page<Resource>> {
    const { pageSize } = this.#options;
    const permits = (uri: string) => this.permits(caller, uri);
    return listPage(this.#routes, { cursor, pageSize, caller, permits, signal });
  }

  templates(_caller: Caller, cursor: string | undefined): Page<ResourceTemplateType> {
    return templatePage(this.#routes, cursor, this.#options.pageSize);
  }

  completion(template: string, variable: string, chosen: Record<string, string>, caller: Caller): Completion {
    const route = this.#routes.find(({ template: { text } }) => text === template);
    if (route === undefined) throw new LiveError('INVALID_PARAMS', `This server has no template "${template}".`);
    const { template: known } = route;
    // Permission can be checked only for a complete URI.
    const isWhole = known.isComplete({ ...chosen, [variable]: 'x' });
    const permits = (value: string) =>
      isWhole ? this.permits(caller, known.expand({ ...chosen, [variable]: value })) : !this.#options.authorize;
    return { completer: completerOf(route.options.complete, variable), permits };
  }

  async read(caller: Caller, uri: string, request?: PlainReadRequest | CallContext): Promise<ReadResourceResult> {
    const { route, params, canonical } = this.#match(uri);
    if (this.authorizes && !(await this.permits(caller, canonical))) {
      throw new LiveError('PERMISSION_DENIED', 'Your credentials do not allow reading this resource.', uri);
    }
    try {
      const value = await route.options.read(params, new RouteRead(caller, uri, request));
      return toReadResult(value, uri, route.options.mimeType, route.options);
    } catch (error) {
      throw failureOf(error, { route: route.template.text, handler: 'read' });
    }
  }
}

/** A read without a context has no client that asked for log messages. */
const noLog: ClientLog = () => undefined;

/** The request passed to `read`. Its signal is created on first use, since it costs as much as a small read. */
class RouteRead implements ReadRequest {
  readonly caller: Caller;
  readonly uri: string;
  readonly #request: PlainReadRequest | CallContext | undefined;
  #signal: AbortSignal | undefined;

  constructor(caller: Caller, uri: string, request: PlainReadRequest | CallContext | undefined) {
    this.caller = caller;
    this.uri = uri;
    this.#request = request;
  }

  get log(): ClientLog {
    return this.#request && 'mcpReq' in this.#request ? this.#request.log : noLog;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= this.#makeSignal());
  }

  #makeSignal(): AbortSignal {
    if (this.#request === undefined) return new AbortController().signal;
    return 'mcpReq' in this.#request ? this.#request.mcpReq.signal : this.#request.signal();
  }
}
