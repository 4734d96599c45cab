// Results of tools and prompts may refer to resources. Each gets the URI under which the caller reaches it here; one
// that the caller may not read is removed. All other content is unchanged, also of kinds that are not known here.
import type { ContentBlock } from '@modelcontextprotocol/client';

/** The URI of a server's resource here; undefined if the caller may not read it. */
export type NameOf = (uri: string) => string | undefined;

/** Undefined if the caller may see no part of it, or if it names a resource in a way that cannot be judged. */
export function namedContent(block: ContentBlock, nameOf: NameOf): ContentBlock | undefined {
  // As a server sends it: it may be anything.
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
