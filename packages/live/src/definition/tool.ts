// Tools: defined once, registered with the SDK for each connection.
import {
  type CallToolResult,
  type ContentBlock,
  type Icon,
  type InputRequiredResult,
  type McpServer,
  ProtocolError,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
  isInputRequiredResult,
  isSpecType,
} from '@modelcontextprotocol/server';
import { LiveError } from '../error.ts';
import type { Log } from '../log.ts';
import type { CallContext, ContextOf } from '../resource/call-context.ts';
import type { Caller } from '../resource/caller.ts';
import { type RpcErrors, RpcError } from './rpc-error.ts';
import { assertSchema } from './schema.ts';
import { surprise } from './wire-error.ts';

/** What a tool is besides its handler. All of it is optional. */
export interface ToolOptions<Input extends StandardSchemaWithJSON, Output extends StandardSchemaWithJSON> {
  title?: string;
  description?: string;
  input?: Input;
  /** With it, the handler returns a value of this shape and clients get it as structured content. */
  output?: Output;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  _meta?: Record<string, unknown>;
  /** Whether this caller has the tool. Default: every caller has it. */
  visibleTo?(this: void, caller: Caller): boolean;
}

type StructuredAnswer<Output extends StandardSchemaWithJSON> =
  | StandardSchemaWithJSON.InferInput<Output>
  | ToolResult
  | InputRequiredResult;
export type ToolAnswer<Output extends StandardSchemaWithJSON> =
  | StructuredAnswer<Output>
  | Promise<StructuredAnswer<Output>>;

export type ToolHandler = (args: unknown, context: CallContext) => unknown;

export interface ToolDefinition {
  readonly options: ToolOptions<StandardSchemaWithJSON, StandardSchemaWithJSON>;
  readonly handler: ToolHandler;
}

/**
 * A result in full: content blocks, links to resources, structured content, `isError`.
 *
 * @example
 * if (answer instanceof ToolResult) console.log(answer.result);
 */
export class ToolResult {
  readonly result: CallToolResult;

  constructor(result: CallToolResult) {
    this.result = result;
  }
}

/**
 * A result in full. Default: no content.
 *
 * @example
 * return toolResult({ content: [{ type: 'text', text: 'done' }] });
 */
export function toolResult(result: Partial<CallToolResult>): ToolResult {
  return new ToolResult({ content: [], ...result });
}

/** Returns a function that removes it. */
export function registerTool(
  mcp: McpServer,
  name: string,
  tool: ToolDefinition,
  contextOf: ContextOf,
  errors: RpcErrors,
  log: Log,
): () => void {
  const { input, output, visibleTo: _visibleTo, ...details } = tool.options;
  const config = { ...details, ...(output && { outputSchema: output }) };
  const call = (args: unknown, context: ServerContext) => callTool(name, tool, args, contextOf(context), errors, log);
  const registered =
    input === undefined
      ? mcp.registerTool(name, config, (context) => call({}, context))
      : mcp.registerTool(name, { ...config, inputSchema: input }, call);
  return () => registered.remove();
}

async function callTool(
  name: string,
  { options, handler }: ToolDefinition,
  args: unknown,
  context: CallContext,
  errors: RpcErrors,
  log: Log,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return toResult(await handler(args, context), options.output !== undefined);
  } catch (error) {
    // The SDK's own errors steer the protocol; ours and surprises are the tool's answer.
    if (error instanceof ProtocolError) throw error;
    if (error instanceof RpcError) errors.set(context.mcpReq.id, error);
    const isAnswer = error instanceof LiveError || error instanceof RpcError;
    const { code, message } = isAnswer ? error : surprise(error, { tool: name }, log);
    return { isError: true, content: [text(message)], _meta: { 'tidings/code': code } };
  }
}

function toResult(value: unknown, isStructured: boolean): CallToolResult | InputRequiredResult {
  if (value instanceof ToolResult) return value.result;
  if (isInputRequiredResult(value)) return value;
  if (isSdkResult(value, isStructured)) return value;
  if (isStructured) return { content: [text(JSON.stringify(value))], structuredContent: value };
  if (value === undefined) return { content: [] };
  return { content: [text(typeof value === 'string' ? value : JSON.stringify(value))] };
}

const resultKeys = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType']);

/** Whether this is what a handler written for the SDK returns. Data that has a `content` of its own looks different. */
function isSdkResult(value: unknown, isStructured: boolean): value is CallToolResult {
  if (typeof value !== 'object' || value === null || !('content' in value) || !Array.isArray(value.content))
    return false;
  if (isStructured && !('structuredContent' in value) && !('isError' in value)) return false;
  const isBlock = (each: unknown) => isSpecType.ContentBlock(each);
  return Object.keys(value).every((key) => resultKeys.has(key)) && value.content.every(isBlock);
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}

export function assertTool(name: string, { options: { input, output } }: ToolDefinition): void {
  if (input !== undefined) assertSchema(`The input of tool "${name}"`, input, 'input');
  if (output !== undefined) assertSchema(`The output of tool "${name}"`, output, 'output');
}
