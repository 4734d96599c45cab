// What a server's tools and prompts answer with may name resources. A name that is another server's here is
// replaced by the address that leads to the one that was meant; all else stays as it was given.
import type { ContentBlock } from '@modelcontextprotocol/client';

export type NameOf = (uri: string) => string;

export function namedContent(block: ContentBlock, nameOf: NameOf): ContentBlock {
  if (block.type === 'resource_link') return { ...block, uri: nameOf(block.uri) };
  if (block.type !== 'resource') return block;
  return { ...block, resource: { ...block.resource, uri: nameOf(block.resource.uri) } };
}
