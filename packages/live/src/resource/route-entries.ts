// The list entries of one route, from the start or after the end of a page.
import type { Resource } from '@modelcontextprotocol/server';
import { LiveError } from '../base/error.ts';
import { type Position, badCursor, expiredCursor } from './cursor.ts';
import type { Caller } from './caller.ts';
import { itemsAfter, indexAfter } from './page-end.ts';
import type { Listed, Listing, ResourceDetails, Route } from './route.ts';
import { RouteTable } from './route-table.ts';
import type { AnyParams } from './template-params.ts';

/** An entry and its position (1 or more) in the route's list. */
export interface Entry {
  readonly route: Route;
  readonly resource: Resource;
  readonly count: number;
}

export interface EntriesRequest {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** How many entries the page still needs. */
  room(this: void): number;
}

export async function* entriesOf(
  route: Route,
  request: EntriesRequest,
  position: Position | undefined,
): AsyncGenerator<Entry> {
  const { list } = route.options;
  if (route.isFixed) {
    if (position === undefined) yield entry(route, {}, 1);
  } else if (route.options.listAfter) {
    yield* sought(route, request, position);
  } else if (list) {
    const all = listing(route, 'list', await list(request.caller));
    yield* position === undefined ? walked(route, all, 0) : resumed(route, all, position);
  }
}

/** Calls `listAfter` until it returns nothing: it may return fewer entries than requested. */
async function* sought(
  route: Route,
  { caller, signal, room }: EntriesRequest,
  position: Position | undefined,
): AsyncGenerator<Entry> {
  let last = position && paramsOf(route, position.u);
  let lastUri = position?.u;
  let count = position?.n ?? 0;
  for (;;) {
    const before = count;
    const request = { limit: room(), caller, signal };
    for await (const item of listing(route, 'listAfter', await route.options.listAfter?.(last, request))) {
      const [params, details] = splitListed(item);
      const next = entry(route, params, (count += 1), details);
      // The source did not seek: it would return the same entries forever.
      if (next.resource.uri === lastUri) throw new TypeError(listAfterMustSeek(route));
      yield next;
      // `lastUri` changes after the batch only: just a repetition of the entry that was passed to `listAfter` is an
      // error.
      last = params;
    }
    if (count === before || signal.aborted) return;
    lastUri = last && uriOf(route, last);
  }
}

/** Continues after the end of a page. Only an array can be indexed; any other list is walked from its start. */
async function* resumed(route: Route, all: Listing<AnyParams>, position: Position): AsyncGenerator<Entry> {
  const uriOfItem = (item: Listed<AnyParams>) => uriOf(route, splitListed(item)[0]);
  if (isArray(all)) {
    const begin = indexAfter(all, uriOfItem, position);
    if (begin === undefined) throw expiredCursor();
    for (let index = begin; index < all.length; index += 1) {
      const item = all[index];
      if (item !== undefined) yield entryOf(route, item, index + 1);
    }
    return;
  }
  for await (const [item, count] of itemsAfter(all, uriOfItem, position, expiredCursor))
    yield entryOf(route, item, count);
}

async function* walked(route: Route, all: Listing<AnyParams>, before: number): AsyncGenerator<Entry> {
  let count = before;
  for await (const item of all) yield entryOf(route, item, (count += 1));
}

function entryOf(route: Route, item: Listed<AnyParams>, count: number): Entry {
  const [params, details] = splitListed(item);
  return entry(route, params, count, details);
}

function entry(route: Route, params: AnyParams, count: number, details?: ResourceDetails): Entry {
  return { route, count, resource: ofProgram(() => route.describe(params, details)) };
}

function uriOf(route: Route, params: AnyParams): string {
  return ofProgram(() => route.template.expand(params));
}

/** A list entry whose value cannot be in a URI is the program's mistake, not the client's. */
function ofProgram<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof LiveError ? new TypeError(error.message, { cause: error }) : error;
  }
}

/** Plain JavaScript may return something that is not a list. */
function listing(route: Route, from: 'list' | 'listAfter', value: unknown): Listing<AnyParams> {
  if (isListing(value)) return value;
  throw new TypeError(`${from} of "${route.template.text}" must return an array, an iterable or an async iterable.`);
}

function isListing(value: unknown): value is Listing<AnyParams> {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}

function isArray(all: Listing<AnyParams>): all is readonly Listed<AnyParams>[] {
  return Array.isArray(all);
}

function listAfterMustSeek(route: Route): string {
  return `listAfter of "${route.template.text}" returned its argument \`last\` again: return only what follows it.`;
}

function splitListed(item: Listed<AnyParams>): [AnyParams, ResourceDetails | undefined] {
  return isTuple(item) ? [item[0], item[1]] : [item, undefined];
}

function isTuple(item: Listed<AnyParams>): item is readonly [AnyParams, ResourceDetails] {
  return Array.isArray(item);
}

function paramsOf(route: Route, uri: string): AnyParams {
  const table = new RouteTable<Route>();
  table.add(route.template, route);
  try {
    return table.match(uri).params;
  } catch {
    throw badCursor();
  }
}
