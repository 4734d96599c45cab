// Calls a tool of one server.
import * as z from 'zod/mini';
import { longestCallMs } from '@tidings/client/contract';
import { type CallInProgress, mcpRequest } from './mcp-request.ts';

const block = z.looseObject({ type: z.string() });
const toolResult = z.object({
  isError: z.optional(z.boolean()),
  content: z.array(block),
  structuredContent: z.optional(z.unknown()),
});
export type ResultBlock = z.infer<typeof block>;
export type ToolCallResult = z.infer<typeof toolResult>;

/** The whole result, also if the tool failed. */
export function toolResultOf(
  serverId: string,
  name: string,
  args: Record<string, unknown>,
  call?: CallInProgress,
): Promise<ToolCallResult> {
  const params = { name, arguments: args };
  const withinMs = longestCallMs;
  return mcpRequest({ serverId, method: 'tools/call', name, params, schema: toolResult, withinMs, call });
}

/** The structured content of the result. If the tool fails, rejects with the server's message. */
export async function callServerTool(
  serverId: string,
  name: string,
  args: Record<string, unknown> = {},
): Promise<unknown> {
  const { isError, content, structuredContent } = await toolResultOf(serverId, name, args);
  if (isError) throw new Error(content.map(blockText).join('\n'));
  return structuredContent;
}

export function blockText({ text }: ResultBlock): string {
  return typeof text === 'string' ? text : '';
}
