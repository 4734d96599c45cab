// A server's resources and resource templates.
import {
  type Client,
  ProtocolError,
  type Resource,
  type ResourceTemplateType as ResourceTemplate,
} from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { onlyInFirst } from '../only-in-first.ts';
import { type ListMeta, type ListResult, listAll } from './list-all.ts';

const methodNotFound = -32601;

export interface Catalog {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly templates: readonly ResourceTemplate[];
  /** Which part is missing, in words; empty if it is complete. */
  readonly missing: string;
  /** The `_meta` of each list. */
  readonly meta?: { readonly resources: ListMeta | undefined; readonly templates: ListMeta | undefined };
  /** Different for different lists. */
  readonly digest: string;
}

export const emptyCatalog: Catalog = { resources: new Map(), templates: [], missing: '', digest: '' };

/** For resources of which only the URI is known. */
export function catalogOfUris(uris: readonly string[]): Catalog {
  return { ...emptyCatalog, resources: new Map(uris.map((uri) => [uri, { uri, name: uri }])) };
}

/** `hasListed`: the server has listed resources before, so that it refuses to is a failure, and not an empty list. */
export async function listCatalog(client: Client, clock: Clock, hasListed: boolean): Promise<Catalog> {
  const [resources, templates] = await Promise.all([
    listAll(client, 'resources', { clock }).catch((error: unknown): ListResult<Resource> => {
      // Its templates and tools can be used all the same, so nothing is reported as missing.
      if (error instanceof ProtocolError && error.code === methodNotFound && !hasListed) {
        return { items: [], missing: '', digest: 'not listed' };
      }
      throw error;
    }),
    listAll(client, 'templates', { clock }).catch((error: unknown): ListResult<ResourceTemplate> => {
      // Many servers have resources and do not implement templates.
      if (error instanceof ProtocolError) return { items: [], missing: '', digest: '' };
      throw error;
    }),
  ]);
  return {
    resources: new Map(resources.items.map((resource) => [resource.uri, resource])),
    templates: templates.items,
    meta: { resources: resources.meta, templates: templates.meta },
    missing: [resources.missing, templates.missing].filter((words) => words !== '').join(' '),
    digest: `${resources.digest} ${templates.digest}`,
  };
}

export interface CatalogChange {
  added: string[];
  removed: string[];
}

export function catalogChange(before: ReadonlySet<string>, after: ReadonlySet<string>): CatalogChange | undefined {
  const change = { added: onlyInFirst(after, before), removed: onlyInFirst(before, after) };
  return change.added.length + change.removed.length > 0 ? change : undefined;
}
