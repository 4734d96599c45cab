// What a server's tools and prompts answer with may name resources. Each is given the URI under which the caller
// reaches it here; one that the caller may not open is left out. All other content stays as it was given.
import type { ContentBlock } from '@modelcontextprotocol/client';

/** The URI here of what the server calls so; undefined where the caller may not open it. */
export type NameOf = (uri: string) => string | undefined;

/** Undefined where nothing may be shown of it. */
export function namedContent(block: ContentBlock, nameOf: NameOf): ContentBlock | undefined {
  if (block.type === 'resource_link') {
    const uri = nameOf(block.uri);
    return uri === undefined ? undefined : { ...block, uri };
  }
  if (block.type !== 'resource') return block;
  const uri = nameOf(block.resource.uri);
  return uri === undefined ? undefined : { ...block, resource: { ...block.resource, uri } };
}
