// A route: a URI template with `read`, and optionally `list` and `complete`.
import { type Annotations, type Icon, type Resource, isSpecType } from '@modelcontextprotocol/server';
import {
  type Check,
  aFunction,
  aJsonObject,
  aList,
  aString,
  aText,
  anObject,
  checkOptions,
  checkValue,
  milliseconds,
} from '../base/check-options.ts';
import type { ClientLog } from './call-context.ts';
import type { Caller } from './caller.ts';
import type { Completer } from './complete.ts';
import { type CacheRule, cacheChecks } from './content.ts';
import type { AnyParams } from './template-params.ts';
import { UriTemplate } from './template.ts';

/** The fields of a resource in lists. */
export interface ResourceDetails {
  /** Default: for a listed resource the last value of its parameters, for a template its title. */
  name?: string | undefined;
  /** A name for people. Default: none. */
  title?: string | undefined;
  /** For models: what the resource contains. Default: none. */
  description?: string | undefined;
  /** MIME type of the content; `content()` overrides it. Default: derived from the value that was read. */
  mimeType?: string | undefined;
  /** Size of the raw content in bytes. Default: not listed. */
  size?: number | undefined;
  /** `audience`, `priority`, `lastModified`. Default: none. */
  annotations?: Annotations | undefined;
  /** Default: none. */
  icons?: Icon[] | undefined;
  /** Default: none. */
  _meta?: Record<string, unknown> | undefined;
}

/** An entry of `list`: the parameters, alone or with details that override the route's. */
export type Listed<P> = P | readonly [params: P, details: ResourceDetails];
/** What `list` may return. */
export type Listing<P> = Iterable<Listed<P>> | AsyncIterable<Listed<P>>;

/** Ends a watch, if there is anything to end. */
export type WatchEnd = (() => void) | void;

/** The context of one call of `read`. */
export interface ReadRequest {
  readonly caller: Caller;
  /** The requested spelling; aliases are not resolved. */
  readonly uri: string;
  /** Aborted when the client disconnects or cancels the read. Created on first use. */
  readonly signal: AbortSignal;
  readonly log: ClientLog;
}

/** The context of one call of `listAfter`. */
export interface ListRequest {
  /** How many entries are needed. Fewer are fine (the next call asks for the rest); surplus entries are ignored. */
  readonly limit: number;
  readonly caller: Caller;
  /** Aborted when the client stops waiting for the list. */
  readonly signal: AbortSignal;
}

/** How the resources of one template are read, listed and completed. Only `read` is required. */
export interface RouteOptions<P> extends ResourceDetails, CacheRule {
  /**
   * Returns the contents: text, bytes, any JSON, `content()` or `contents()`. Throw `notFound()` if the resource does
   * not exist.
   */
  read(this: void, params: P, request: ReadRequest): unknown;
  /**
   * All resources of this route, in a stable order. A generator is walked from its start for every page. Default: none
   * are listed, unless the template has no parameters.
   */
  list?(this: void, caller: Caller): Listing<P> | Promise<Listing<P>>;
  /**
   * Instead of `list`, for sources that can seek: the resources after `last`, or from the start. Called again, with
   * the last one it returned, until it returns none. Default: `list`.
   * `listAfter: (last, { limit }) => db.all('select id from note where id > ? order by id limit ?', last?.id ?? '', limit)`
   */
  listAfter?(this: void, last: P | undefined, request: ListRequest): Listing<P> | Promise<Listing<P>>;
  /**
   * Suggestions for parameters, by their names. Default: none.
   * `complete: { city: (prefix) => cities.filter((city) => city.startsWith(prefix)) }`
   */
  complete?: { [K in keyof P]?: Completer };
  /** The topics that a resource depends on besides its own canonical URI. Default: none. */
  topics?(this: void, params: P, canonical: string): readonly string[];
  /**
   * Called when a resource gets its first subscriber; the returned function is called after the last one has left.
   * Default: nothing.
   */
  watch?(this: void, params: P, canonical: string): WatchEnd | Promise<WatchEnd>;
  /** Updates of one URI within this time merge into one at its end. Default: the server's. */
  windowMs?: number;
}

const aSize: Check = {
  expected: 'a number of bytes',
  accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
};

const someAnnotations: Check = {
  expected: 'an object with audience ("user", "assistant"), priority (0 to 1) and lastModified (an ISO time)',
  accepts: (value) => isSpecType.Annotations(value),
};

const routeChecks = {
  read: aFunction,
  list: aFunction,
  listAfter: aFunction,
  complete: anObject,
  topics: aFunction,
  watch: aFunction,
  windowMs: milliseconds,
  name: aText,
  title: aText,
  description: aText,
  mimeType: aText,
  size: aSize,
  annotations: someAnnotations,
  icons: aList,
  _meta: aJsonObject,
  ...cacheChecks,
};

/** Checks of one list entry. Other members are ignored: a row of a table may have some. */
const entryChecks = Object.entries({
  name: aString,
  title: aString,
  description: aString,
  mimeType: aString,
  size: aSize,
  annotations: someAnnotations,
  icons: aList,
  _meta: aJsonObject,
});

export class Route {
  readonly template: UriTemplate;
  readonly options: RouteOptions<AnyParams>;

  constructor(template: string, options: RouteOptions<AnyParams>) {
    checkValue('A template', template, aText);
    this.template = new UriTemplate(template);
    this.options = options;
    checkOptions(`Route "${template}"`, options, routeChecks, ['read']);
    const completed = Object.keys(options.complete ?? {}).find((name) => !this.template.names.includes(name));
    if (completed !== undefined) {
      throw new TypeError(`Route "${template}" completes "${completed}", which its template does not have.`);
    }
    const notCompleter = Object.entries(options.complete ?? {}).find(([, completer]) => !aFunction.accepts(completer));
    if (notCompleter !== undefined)
      checkValue(`complete.${notCompleter[0]} of "${template}"`, notCompleter[1], aFunction);
    if (this.isFixed && (options.list ?? options.listAfter)) {
      throw new TypeError(`Route "${template}" has no parameters, so it is listed as it is, without list.`);
    }
    if (options.list && options.listAfter) {
      throw new TypeError(`Route "${template}" has both list and listAfter: one of them is enough.`);
    }
  }

  get isFixed(): boolean {
    return this.template.names.length === 0;
  }

  /** The entry of one resource in `resources/list`. */
  describe(params: AnyParams, details: ResourceDetails = {}): Resource {
    checkDetails(details);
    const uri = this.template.expand(params);
    const { pathNames, queryNames } = this.template;
    const lastOf = (names: readonly string[]) => names.map((each) => params[each]).findLast((value) => value);
    const lastValue = lastOf(pathNames) ?? lastOf(queryNames);
    const { name, title, ...own } = detailsOf({
      ...this.options,
      ...details,
      annotations: merged(this.options.annotations, details.annotations),
      _meta: merged(this.options._meta, details._meta),
    });
    // The route's name and title are those of the template; a listed resource is named after its own value.
    const ownTitle = this.isFixed ? title : details.title;
    return { uri, name: details.name ?? lastValue ?? name ?? uri, ...(ownTitle && { title: ownTitle }), ...own };
  }
}

/** Plain JavaScript may return anything, such as a database's null, for which clients would refuse the whole list. */
function checkDetails(details: ResourceDetails): void {
  checkValue('What comes beside the parameters, the details of an entry,', details, anObject);
  for (const [name, check] of entryChecks) {
    const value: unknown = Reflect.get(details, name);
    if (value !== undefined) checkValue(`"${name}" of an entry`, value, check);
  }
}

/** The entry's own fields override the route's. */
function merged<T extends object>(ofRoute: T | undefined, own: T | undefined): T | undefined {
  return ofRoute && own ? { ...ofRoute, ...own } : (own ?? ofRoute);
}

/** Details without undefined members, which the protocol does not allow. */
type SentDetails = { [K in keyof ResourceDetails]?: NonNullable<ResourceDetails[K]> };

/** The MCP fields among a route's options. */
export function detailsOf(options: ResourceDetails): SentDetails {
  const { name, title, description, mimeType, size, annotations, icons, _meta } = options;
  return {
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(size !== undefined && { size }),
    ...(annotations !== undefined && { annotations }),
    ...(icons !== undefined && { icons }),
    ...(_meta !== undefined && { _meta }),
  };
}
