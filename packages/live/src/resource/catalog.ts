// `resources/list` and `resources/templates/list`: the entries of all routes, page by page. At most one page is in
// memory, whatever the length of the list.
import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { encodeCursor } from '../base/opaque-cursor.ts';
import type { Caller } from './caller.ts';
import { type Position, decodePosition, expiredCursor } from './cursor.ts';
import { failureOf } from './handler-failure.ts';
import { pageEnd } from './page-end.ts';
import type { Page } from './resource-directory.ts';
import { type EntriesRequest, type Entry, entriesOf } from './route-entries.ts';
import { type Route, detailsOf } from './route.ts';

interface PageRequest {
  readonly cursor: string | undefined;
  readonly pageSize: number;
  readonly caller: Caller;
  permits(this: void, uri: string): boolean | Promise<boolean>;
  /** Aborted when the client stops waiting for the page. */
  readonly signal?: AbortSignal | undefined;
}

export async function listPage(routes: readonly Route[], request: PageRequest): Promise<Page<Resource>> {
  const { cursor, pageSize, caller, permits, signal = new AbortController().signal } = request;
  const listed = routes.filter((route) => route.isFixed || route.options.list || route.options.listAfter);
  const position = cursor === undefined ? undefined : decodePosition(cursor);
  const entries: Entry[] = [];
  const items = () => entries.map(({ resource }) => resource);
  // Reads one entry more than the page holds, to know whether there is a next page.
  const room = () => pageSize + 1 - entries.length;
  for await (const entry of entriesAfter(listed, position, { caller, signal, room })) {
    if (signal.aborted) break;
    if (!(await permits(entry.resource.uri))) continue;
    if (entries.length === pageSize) return { items: items(), ...cursorAfter(entries) };
    entries.push(entry);
  }
  return { items: items() };
}

async function* entriesAfter(
  routes: readonly Route[],
  position: Position | undefined,
  request: EntriesRequest,
): AsyncGenerator<Entry> {
  const first = position === undefined ? 0 : routes.findIndex((route) => route.template.text === position.t);
  if (first === -1) throw expiredCursor();
  for (const [index, route] of routes.slice(first).entries()) {
    try {
      yield* entriesOf(route, request, index === 0 ? position : undefined);
    } catch (error) {
      const handler = route.options.listAfter ? 'listAfter' : 'list';
      throw failureOf(error, { route: route.template.text, handler });
    }
  }
}

function cursorAfter(entries: readonly Entry[]): { nextCursor?: string } {
  const last = entries.at(-1);
  if (last === undefined) return {};
  const ofRoute = entries.filter(({ route }) => route === last.route).map(({ resource }) => resource.uri);
  const position: Position = { t: last.route.template.text, ...pageEnd(last.count, ofRoute) };
  return { nextCursor: encodeCursor(position) };
}

export function templatePage(
  routes: readonly Route[],
  cursor: string | undefined,
  pageSize: number,
): Page<ResourceTemplateType> {
  const templates = routes.filter((route) => !route.isFixed);
  const position = cursor === undefined ? undefined : decodePosition(cursor);
  const start = position === undefined ? 0 : templates.findIndex((route) => route.template.text === position.t) + 1;
  if (position !== undefined && start === 0) throw expiredCursor();
  const page = templates.slice(start, start + pageSize);
  const last = page.at(-1);
  const items = page.map((route) => {
    const { name, size: _size, ...details } = detailsOf(route.options);
    return { uriTemplate: route.template.text, name: name ?? route.options.title ?? route.template.text, ...details };
  });
  if (last === undefined || start + pageSize >= templates.length) return { items };
  return {
    items,
    nextCursor: encodeCursor({ t: last.template.text, ...pageEnd(start + page.length, []) } satisfies Position),
  };
}
