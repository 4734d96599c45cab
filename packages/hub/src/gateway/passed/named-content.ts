// Replaces the URIs of resources in results of tools and prompts by those under which the caller reaches them here.
// Resources that the caller may not read are removed; other content is unchanged, even of unknown kinds.
import type { ContentBlock } from '@modelcontextprotocol/client';

/** Returns the URI of a server's resource on the gateway; undefined if the caller may not read it. */
type NameOf = (uri: string) => string | undefined;

/** Undefined if the caller may not read the resource, or its URI is missing. */
export function namedContent(block: ContentBlock, nameOf: NameOf): ContentBlock | undefined {
  // Unvalidated input of a server.
  const { type, resource }: { type?: unknown; resource?: unknown } = Object(block);
  if (type === 'resource_link') return withUri(block, nameOf);
  if (type !== 'resource') return block;
  const named = withUri(Object(resource), nameOf);
  return named === undefined ? undefined : Object.assign({}, block, { resource: named });
}

function withUri<Named extends object>(named: Named, nameOf: NameOf): Named | undefined {
  const given = 'uri' in named && typeof named.uri === 'string' ? named.uri : undefined;
  const uri = given === undefined ? undefined : nameOf(given);
  return uri === undefined ? undefined : { ...named, uri };
}
