// Reads a server's list page by page, within bounds: a server may list more than fits into memory, or never stop
// sending pages. What fits is kept, and `missing` says what was left out and why, so that a shortened list is
// never taken for a complete one.
import { createHash } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { z } from 'zod';
import { isTimeout } from '../../connection/error/is-timeout.ts';
import { asSent } from '../../connection/message/raw-results.ts';
import { type ListDefinition, type ListKind, type ListedItems, checkItem, lists } from './listed-item.ts';

export interface ListBounds {
  items: number;
  /** All items together, as JSON. */
  bytes: number;
  pages: number;
  /** From the first request to the last answer. */
  ms: number;
}

/** `_meta` of a page. */
export type ListMeta = Readonly<Record<string, unknown>>;

/** A list that was read within its bounds. */
export interface ListResult<Item> {
  items: readonly Item[];
  /** Which part is missing, in words; empty if it is complete. */
  missing: string;
  /** The `_meta` of the list, if it has one page, within bounds. */
  meta?: ListMeta | undefined;
  /** Changes with the items; not with their order, which some servers change with every answer. */
  digest: string;
}

/** Clients read the hub's lists as one, many of them only the first 64 pages. */
export const listBounds: Readonly<Record<ListKind, ListBounds>> = {
  resources: { items: 20_000, bytes: 16 * 1024 * 1024, pages: 2000, ms: 60_000 },
  templates: { items: 1000, bytes: 2 * 1024 * 1024, pages: 200, ms: 60_000 },
  tools: { items: 1000, bytes: 8 * 1024 * 1024, pages: 200, ms: 60_000 },
  prompts: { items: 1000, bytes: 2 * 1024 * 1024, pages: 200, ms: 60_000 },
};

const answerMs = 30_000;
const longestCursor = 8192;
/** After so many items, other work gets a turn. */
const itemsAtOnce = 500;
/** Characters of `_meta`, as JSON. */
const longestMeta = 16 * 1024;
/** The prefix of the protocol's own keys. */
const ownMeta = 'io.modelcontextprotocol/';

/** How much of a list to read. The default depends on its kind: 20,000 resources, 1000 of the others. */
export interface ListOptions {
  clock: Clock;
  /** Default: `listBounds` of the kind of list. */
  bounds?: ListBounds;
}

/**
 * Reads all pages of a list. A server whose list does not end, or has invalid items, cannot fill the memory: `missing`
 * says what was left out.
 *
 * @example
 * const { items, missing } = await listAll(client, 'resources', { clock: systemClock });
 */
export async function listAll<Kind extends ListKind>(
  client: Pick<Client, 'request'>,
  kind: Kind,
  { clock, bounds = listBounds[kind] }: ListOptions,
): Promise<ListResult<ListedItems[Kind]>> {
  const definition: ListDefinition<ListedItems[Kind]> = lists[kind];
  const kept = new ItemsSoFar(kind, definition, bounds);
  const deadline = clock.now() + bounds.ms;
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const leftMs = deadline - clock.now();
    let page: Page;
    try {
      page = await fetchPage(client, definition, cursor, Math.min(answerMs, leftMs));
    } catch (error) {
      // The first answer decides whether the server has this list.
      if (cursor !== undefined && leftMs < answerMs && isTimeout(error)) return kept.end(tooSlow(bounds));
      throw error;
    }
    for (const [index, item] of page.items.entries()) {
      if (index > 0 && index % itemsAtOnce === 0) await new Promise<void>((resolve) => clock.defer(resolve));
      const exceeded = kept.take(item);
      if (exceeded !== undefined) return kept.end(exceeded);
    }
    const { next } = page;
    if (next === undefined) return { ...kept.end(), meta: cursor === undefined ? page.meta : undefined };
    if (next.length > longestCursor) return kept.end(`it gave a cursor of more than ${longestCursor} characters`);
    if (cursors.has(next)) return kept.end('it gave the same cursor twice');
    if (cursors.size + 1 >= bounds.pages) return kept.end(`it has more than ${bounds.pages} pages`);
    if (clock.now() >= deadline) return kept.end(tooSlow(bounds));
    cursors.add(next);
    cursor = next;
  }
}

interface Page {
  items: unknown[];
  next: string | undefined;
  meta: ListMeta | undefined;
}

async function fetchPage(
  client: Pick<Client, 'request'>,
  { method, member }: Pick<ListDefinition<unknown>, 'method' | 'member'>,
  cursor: string | undefined,
  timeout: number,
): Promise<Page> {
  // The SDK's schema of a page would reject the whole page for one bad item.
  const schema = z.looseObject({
    [member]: z.array(z.unknown()),
    nextCursor: z.string().nullish(),
    _meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
  });
  const params = cursor === undefined ? {} : { cursor };
  const page = asSent(await client.request({ method, params }, schema, { timeout }));
  const [items, next] = [page[member], page['nextCursor']];
  // Some servers send an empty cursor, or null, at the end.
  return {
    items: Array.isArray(items) ? items : [],
    next: typeof next === 'string' && next !== '' ? next : undefined,
    meta: metaOf(page['_meta']),
  };
}

function metaOf(given: unknown): ListMeta | undefined {
  const entries = Object.entries(Object(given)).filter(([key]) => !key.startsWith(ownMeta));
  if (entries.length === 0) return undefined;
  const meta = Object.fromEntries(entries);
  return JSON.stringify(meta).length <= longestMeta ? meta : undefined;
}

/** The items so far. Of two items with the same key the last one counts. */
class ItemsSoFar<Item extends { name: string }> {
  readonly #kind: ListKind;
  readonly #definition: ListDefinition<Item>;
  readonly #bounds: ListBounds;
  readonly #items = new Map<string, Item>();
  readonly #digest = new Uint32Array(5);
  #bytes = 0;
  #refused = 0;
  #firstProblem = '';

  constructor(kind: ListKind, definition: ListDefinition<Item>, bounds: ListBounds) {
    this.#kind = kind;
    this.#definition = definition;
    this.#bounds = bounds;
  }

  /** Returns the bound that is exceeded with this item, if any. */
  take(given: unknown): string | undefined {
    const { items, bytes } = this.#bounds;
    const checked = checkItem(this.#definition, given);
    if ('problem' in checked) {
      this.#refused += 1;
      this.#firstProblem ||= checked.problem;
      return this.#refused > items ? `it has more than ${items} items that cannot be used` : undefined;
    }
    if (!this.#items.has(checked.key) && this.#items.size >= items) return `it has more than ${items}`;
    if (this.#bytes + checked.json.length > bytes) return `it takes more than ${sizeText(bytes)}`;
    this.#bytes += checked.json.length;
    this.#addToDigest(checked.json);
    this.#items.set(checked.key, checked.item);
    return undefined;
  }

  end(exceeded?: string): ListResult<Item> {
    const cut =
      exceeded === undefined
        ? ''
        : `Too much: the list of ${this.#kind} was not read to its end, since ${exceeded}. The first ${this.#items.size} are used: let the server list fewer. `;
    const refused =
      this.#refused === 0 ? '' : `${this.#refused} of its ${this.#kind} cannot be used: ${this.#firstProblem}`;
    const missing = `${cut}${refused}`.trim();
    this.#addToDigest(missing);
    return { items: [...this.#items.values()], missing, digest: this.#digest.join('-') };
  }

  /** The sum of the items' digests is the same in any order. */
  #addToDigest(text: string): void {
    const bytes = createHash('sha1').update(text).digest();
    for (const index of this.#digest.keys())
      this.#digest[index] = (this.#digest[index] ?? 0) + bytes.readUInt32LE(4 * index);
  }
}

function tooSlow({ ms }: ListBounds): string {
  return `that took more than ${ms / 1000} s`;
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MB` : `${bytes} bytes`;
}
