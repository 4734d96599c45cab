// The text of a hook. A host puts it into the context of its model, so it has our own words and URIs only: no contents,
// and no text of a server. URIs are escaped and shortened, and at most ten of a kind are named, so it stays below 5000
// characters (Claude Code turns more than 10,000 into a file).
import { type ChangedUri, namedUris } from '../base/named-uris.ts';

interface HookNews {
  /** What was read, and changed since. */
  read: readonly ChangedUri[];
  /** What the hook's address chooses besides. */
  chosen: readonly ChangedUri[];
  /** Whether more may have changed than is known. */
  hasGap: boolean;
}

export const mayHaveChanged = 'MCP resources may have changed since they were read; read again what you rely on.';

/** Undefined if there is nothing to say. */
export function hookSentence({ read, chosen, hasGap }: HookNews): string | undefined {
  const sentences = [
    ...(read.length > 0
      ? [`MCP resources that changed since they were read: ${namedUris(read)}; read again what you rely on.`]
      : []),
    ...(chosen.length > 0 ? [`MCP resources that changed: ${namedUris(chosen)}.`] : []),
    ...(hasGap ? [mayHaveChanged] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}
