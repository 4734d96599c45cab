// Routes and the pages of their lists, for tests of lists.
import type { Resource } from '@modelcontextprotocol/server';
import { listPage } from '../resource/catalog.ts';
import type { Caller } from '../resource/caller.ts';
import type { Page } from '../resource/resource-directory.ts';
import { Route, type RouteOptions } from '../resource/route.ts';
import type { AnyParams } from '../resource/template-params.ts';

export const caller: Caller = { era: 'modern', transport: 'memory' };
const allPermitted = () => true;

export function route(template: string, options: Partial<RouteOptions<AnyParams>> = {}): Route {
  return new Route(template, { read: () => null, ...options });
}

export function page(routes: Route[], cursor?: string, pageSize = 3): Promise<Page<Resource>> {
  return listPage(routes, { cursor, pageSize, caller, permits: allPermitted });
}

export async function allPages(routes: Route[], between: () => void = () => undefined): Promise<string[]> {
  const uris: string[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await page(routes, cursor);
    uris.push(...items.map(({ uri }) => uri));
    cursor = nextCursor;
    between();
  } while (cursor !== undefined);
  return uris;
}
