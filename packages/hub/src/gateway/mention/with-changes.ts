// Adds the line about changed resources to a tool's result.
import type { CallToolResult } from '@modelcontextprotocol/client';

/** The `_meta` key of the line in results that programs read. */
const metaKey = 'tidings/changed';

/** The line is in `_meta` if there is structured content, because a host may parse the text. */
export function withChanges(result: CallToolResult, line: string | undefined, isStructured: boolean): CallToolResult {
  if (line === undefined) return result;
  if (isStructured || result.structuredContent !== undefined) {
    return { ...result, _meta: { ...result._meta, [metaKey]: line } };
  }
  return { ...result, content: [...result.content, { type: 'text', text: line }] };
}
