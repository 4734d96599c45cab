// Results of tools and prompts may refer to resources. Each gets the URI under which the caller reaches it here; one
// that the caller may not read is removed. All other content is unchanged.
import type { ContentBlock } from '@modelcontextprotocol/client';

/** The URI of a server's resource here; undefined if the caller may not read it. */
export type NameOf = (uri: string) => string | undefined;

/** Undefined if the caller may see no part of it. */
export function namedContent(block: ContentBlock, nameOf: NameOf): ContentBlock | undefined {
  if (block.type === 'resource_link') {
    const uri = nameOf(block.uri);
    return uri === undefined ? undefined : { ...block, uri };
  }
  if (block.type !== 'resource') return block;
  const uri = nameOf(block.resource.uri);
  return uri === undefined ? undefined : { ...block, resource: { ...block.resource, uri } };
}
