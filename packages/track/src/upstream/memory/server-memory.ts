// What is known of a server before it is connected: on its owner node the archived state; on any other node only its
// last list, so that requests of clients find the server and wait for the connection.
import type { DefinitionReview } from '../../definition/agreed-for-users.ts';
import { KnownDefinitions } from '../../definition/known-definitions.ts';
import type { RememberedResource } from '../../mirror/resource-record.ts';
import { type Catalog, catalogOfUris } from '../../subscription/catalog/catalog.ts';

export interface ServerMemory {
  resources: ReadonlyMap<string, RememberedResource>;
  /** The last list of the server. */
  catalog: Catalog;
  definitions: DefinitionReview;
}

type RememberedResources = ServerMemory['resources'];

export function ownerMemory(resources: RememberedResources, definitions: KnownDefinitions): ServerMemory {
  return { resources, catalog: listedAmong(resources), definitions };
}

/** Stores no definitions, because the owner node does. */
export function followerMemory(catalog: Catalog): ServerMemory {
  const definitions = new KnownDefinitions({
    remembered: new Map(),
    sighted: () => undefined,
    remember: () => undefined,
    forget: () => undefined,
  });
  return { resources: new Map(), catalog, definitions };
}

export function listedAmong(resources: RememberedResources): Catalog {
  return catalogOfUris([...resources].flatMap(([uri, { isListed }]) => (isListed ? [uri] : [])));
}
