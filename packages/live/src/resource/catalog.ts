// `resources/list` and `resources/templates/list`: fixed and enumerated routes, page by page. A page
// holds one page in memory, whatever the size of the whole.
import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { encodeCursor } from '../opaque-cursor.ts';
import { type Position, badCursor, decodePosition } from './cursor.ts';
import type { Caller } from './caller.ts';
import { type Listed, type Listing, type ResourceDetails, type Route, detailsOf } from './route.ts';
import { RouteTable } from './route-table.ts';
import type { AnyParams } from './template.ts';

export type Permits = (uri: string) => boolean | Promise<boolean>;

export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

type Reached = [resource: Resource, position: Position];

export async function listPage(
  routes: readonly Route[],
  cursor: string | undefined,
  pageSize: number,
  caller: Caller,
  permits: Permits,
): Promise<Page<Resource>> {
  const listed = routes.filter((route) => route.isFixed || route.options.list || route.options.listAfter);
  const position = cursor === undefined ? undefined : decodePosition(cursor);
  const items: Resource[] = [];
  let last: Position | undefined;
  for await (const [resource, reached] of resourcesAfter(listed, position, caller)) {
    if (!(await permits(resource.uri))) continue;
    // One more than the page: only now is it known that there is a next one.
    if (items.length === pageSize && last) return { items, nextCursor: encodeCursor(last) };
    items.push(resource);
    last = reached;
  }
  return { items };
}

async function* resourcesAfter(
  routes: readonly Route[],
  position: Position | undefined,
  caller: Caller,
): AsyncGenerator<Reached> {
  const first = position === undefined ? 0 : routes.findIndex((route) => route.template.text === position.t);
  if (first === -1) throw badCursor();
  for (const [index, route] of routes.slice(first).entries()) {
    if (index === 0 && position) {
      yield* resume(route, position, caller);
    } else if (route.isFixed) {
      yield reach(route, {}, 1);
    } else {
      yield* enumerate(route, await listing(route, undefined, caller), 0);
    }
  }
}

/** Continues after the last resource of the previous page, wherever it stands by now. */
async function* resume(route: Route, position: Position, caller: Caller): AsyncGenerator<Reached> {
  if (route.isFixed) return;
  if (route.options.listAfter) {
    yield* enumerate(route, await listing(route, paramsOf(route, position.u), caller), position.n);
    return;
  }
  const skip = await lastPlace(route, position, await listing(route, undefined, caller));
  yield* enumerate(route, await listing(route, undefined, caller), 0, skip);
}

/** How many resources to skip: through the last one of the previous page, if it is still there. */
async function lastPlace(route: Route, { n, u }: Position, all: Listing<AnyParams>): Promise<number> {
  const isLast = (item: Listed<AnyParams>) => route.template.expand(splitListed(item)[0]) === u;
  // Where it stood, in the common case that nothing has moved.
  const there = Array.isArray(all) ? all[n - 1] : undefined;
  if (there !== undefined && isLast(there)) return n;
  let count = 0;
  let nearest: number | undefined;
  for await (const item of all) {
    count += 1;
    // A list may name a URI twice: the place nearest to where the page ended is the one.
    if (nearest !== undefined && count - n > n - nearest) break;
    if (!isLast(item)) continue;
    nearest = count;
    if (count >= n) break;
  }
  // It is gone, and with it one place: what followed it now stands where it stood.
  return nearest ?? Math.max(0, n - 1);
}

async function* enumerate(route: Route, all: Listing<AnyParams>, before: number, skip = 0): AsyncGenerator<Reached> {
  let count = before;
  for await (const item of all) {
    count += 1;
    if (count <= skip) continue;
    const [params, details] = splitListed(item);
    yield reach(route, params, count, details);
  }
}

function reach(route: Route, params: AnyParams, count: number, details?: ResourceDetails): Reached {
  const resource = route.describe(params, details);
  return [resource, { t: route.template.text, n: count, u: resource.uri }];
}

function listing(
  route: Route,
  last: AnyParams | undefined,
  caller: Caller,
): Listing<AnyParams> | Promise<Listing<AnyParams>> {
  return route.options.listAfter?.(last, caller) ?? route.options.list?.(caller) ?? [];
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

export function templatePage(
  routes: readonly Route[],
  cursor: string | undefined,
  pageSize: number,
): Page<ResourceTemplateType> {
  const templates = routes.filter((route) => !route.isFixed);
  const position = cursor === undefined ? undefined : decodePosition(cursor);
  const start = position === undefined ? 0 : templates.findIndex((route) => route.template.text === position.t) + 1;
  if (position !== undefined && start === 0) throw badCursor();
  const page = templates.slice(start, start + pageSize);
  const last = page.at(-1);
  const items = page.map((route) => {
    const { name, size: _size, ...details } = detailsOf(route.options);
    return { uriTemplate: route.template.text, name: name ?? route.options.title ?? route.template.text, ...details };
  });
  if (last === undefined || start + pageSize >= templates.length) return { items };
  return {
    items,
    nextCursor: encodeCursor({ t: last.template.text, n: start + page.length, u: '' } satisfies Position),
  };
}
