// A catalog without the server's texts. The resources of a pinned server come and go, so a person cannot agree to each:
// they are listed under their URIs, without titles, descriptions and icons, which a server could change at will.
import type { Resource, ResourceTemplateType as ResourceTemplate } from '@modelcontextprotocol/client';
import { plainUri } from '@tidings/client/tell';
import type { Catalog } from './catalog.ts';

const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const longestName = 100;
const made = new WeakMap<Catalog, Catalog>();

/** Returns the same object for the same catalog. */
export function plainCatalog(catalog: Catalog): Catalog {
  let plain = made.get(catalog);
  if (plain === undefined) {
    const resources = new Map<string, Resource>();
    for (const [uri, resource] of catalog.resources) resources.set(uri, plainResource(resource));
    plain = { ...catalog, resources, templates: catalog.templates.map(plainTemplate) };
    made.set(catalog, plain);
  }
  return plain;
}

function plainResource({ uri, mimeType, size }: Resource): Resource {
  return { uri, name: nameIn(uri), ...typeOf(mimeType), ...(size !== undefined && { size }) };
}

function plainTemplate({ uriTemplate, mimeType }: ResourceTemplate): ResourceTemplate {
  return { uriTemplate, name: nameIn(uriTemplate), ...typeOf(mimeType) };
}

/** The last part of the URI, in legal characters. */
function nameIn(uri: string): string {
  const plain = plainUri(uri);
  const last = plain.split('/').findLast((part) => part !== '') ?? plain;
  return last.slice(0, longestName);
}

function typeOf(mimeType: string | undefined): { mimeType?: string } {
  return mimeType !== undefined && mediaType.test(mimeType) ? { mimeType } : {};
}
