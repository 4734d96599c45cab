// A tool's result with the line about what its caller has read and should read again.
import type { CallToolResult } from '@modelcontextprotocol/client';

/** Where the line is in results that programs read. */
const metaKey = 'tidings/changed';

/** Beside structured content a host may parse the text, so the line is in `_meta`. */
export function withChanges(result: CallToolResult, line: string | undefined, isStructured: boolean): CallToolResult {
  if (line === undefined) return result;
  if (isStructured || result.structuredContent !== undefined) {
    return { ...result, _meta: { ...result._meta, [metaKey]: line } };
  }
  return { ...result, content: [...result.content, { type: 'text', text: line }] };
}
