// What a server lists: its resources and its templates.
import {
  type Client,
  ProtocolError,
  type Resource,
  type ResourceTemplateType as ResourceTemplate,
} from '@modelcontextprotocol/client';
import { difference } from './difference.ts';

const answerMs = 30_000;

export interface Catalog {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly templates: readonly ResourceTemplate[];
}

export const emptyCatalog: Catalog = { resources: new Map(), templates: [] };

export async function listCatalog(client: Client): Promise<Catalog> {
  const options = { timeout: answerMs, cacheMode: 'bypass' } as const;
  const [{ resources }, templates] = await Promise.all([
    client.listResources(undefined, options),
    client.listResourceTemplates(undefined, options).then(
      ({ resourceTemplates }) => resourceTemplates,
      (error: unknown) => {
        // Many servers have resources and never heard of templates.
        if (error instanceof ProtocolError) return [];
        throw error;
      },
    ),
  ]);
  return { resources: new Map(resources.map((resource) => [resource.uri, resource])), templates };
}

export interface CatalogChange {
  added: string[];
  removed: string[];
}

export function catalogChange(before: ReadonlySet<string>, after: ReadonlySet<string>): CatalogChange | undefined {
  const change = { added: difference(after, before), removed: difference(before, after) };
  return change.added.length + change.removed.length > 0 ? change : undefined;
}
