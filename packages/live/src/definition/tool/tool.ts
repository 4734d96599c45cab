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
  type ToolExecution,
  isInputRequiredResult,
  isSpecType,
} from '@modelcontextprotocol/server';
import {
  type Check,
  aFunction,
  aJsonObject,
  aList,
  aString,
  anObject,
  anything,
  checkOptions,
  checkValue,
} from '../../base/check-options.ts';
import { LiveError } from '../../base/error.ts';
import { jsonOf } from '../../base/json-of.ts';
import type { Log } from '../../base/log.ts';
import { isObject } from '../../portable/is-object.ts';
import type { CallContext, ContextOf, PlainContext } from '../../resource/call-context.ts';
import type { Caller } from '../../resource/caller.ts';
import { type AnswersInPlace, replaced } from '../answer/answers-in-place.ts';
import { withNamedQuestions } from '../client/named-questions.ts';
import { PassedResult } from '../answer/passed-result.ts';
import { RpcError } from '../answer/rpc-error.ts';
import { assertSchema, explained } from './schema.ts';
import type { BeginCall } from './waiting-call.ts';
import { internalError } from '../answer/wire-error.ts';

/** The options of a tool. All are optional. */
export interface ToolOptions<Input extends StandardSchemaWithJSON, Output extends StandardSchemaWithJSON> {
  /** A name for people. Default: the tool's name. */
  title?: string;
  /** For models: what the tool does, and when to use it. Default: none. */
  description?: string;
  /** The schema of its arguments. Default: it takes none. */
  input?: Input;
  /**
   * The schema of its result. The handler then returns such a value, which clients get as structured content. Default:
   * none.
   */
  output?: Output;
  /** Hints, such as whether it only reads or may destroy something. Default: none. */
  annotations?: ToolAnnotations;
  /** Default: none. */
  icons?: Icon[];
  /** Whether it can be called as a task (2025-11-25). Default: it cannot. */
  execution?: ToolExecution;
  /** Default: none. */
  _meta?: Record<string, unknown>;
  /** Whether this caller may see and use the tool. Default: every caller may. */
  visibleTo?(this: void, caller: Caller): boolean;
}

/** `T` with all members readonly. Stops after some levels, because types may be recursive, as that of JSON is. */
type ReadOnly<T, Levels extends 0[] = []> = T extends object
  ? { readonly [K in keyof T]: Levels['length'] extends 6 ? T[K] : ReadOnly<T[K], [...Levels, 0]> }
  : T;

type StructuredAnswer<Output extends StandardSchemaWithJSON> =
  | ReadOnly<StandardSchemaWithJSON.InferInput<Output>>
  | ToolResult
  | InputRequiredResult;
/** What a handler may return: with `output`, a value of that shape; otherwise anything. */
export type ToolAnswer<Output extends StandardSchemaWithJSON> =
  | StructuredAnswer<Output>
  | Promise<StructuredAnswer<Output>>;

export type ToolHandler = (args: unknown, context: CallContext) => unknown;
export type PlainHandler = (args: unknown, context: PlainContext) => Promise<unknown>;

export interface ToolDefinition {
  readonly options: ToolOptions<StandardSchemaWithJSON, StandardSchemaWithJSON>;
  readonly handler: ToolHandler;
  /** Replaces `handler` for calls that may wait for hours: see `waiting-tool.ts`. */
  readonly begin?: BeginCall<unknown>;
  /** Like `handler`, for a tool that needs only a plain context: see `passed-definitions.ts`. */
  readonly plainHandler?: PlainHandler;
  /** For a tool of another server: members of its listing that the kit does not know. */
  readonly passed?: Readonly<Record<string, unknown>>;
}

/**
 * A complete result: content blocks, links to resources, structured content, `isError`.
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
 * A complete result. Default: no content.
 *
 * @example
 * return toolResult({ content: [{ type: 'text', text: 'done' }] });
 */
export function toolResult(result: Partial<CallToolResult> = {}): ToolResult {
  checkValue('What toolResult() is given', result, anObject);
  const { content = [] } = result;
  checkValue('The content of a result', content, aList);
  for (const block of content) checkValue('Each content of a result', block, aBlock);
  return new ToolResult({ ...result, content });
}

const aBlock: Check = {
  expected: "a block such as { type: 'text', text: 'done' } (with bytes as base64)",
  accepts: (value) => isSpecType.ContentBlock(value),
};

/** Returns a function that removes it. */
export function registerTool(
  mcp: McpServer,
  name: string,
  tool: ToolDefinition,
  contextOf: ContextOf,
  inPlace: AnswersInPlace,
  log: Log,
): () => void {
  const { input, output, execution, visibleTo: _visibleTo, ...details } = tool.options;
  const config = { ...details, ...(output && { outputSchema: output }) };
  const call = (args: unknown, context: ServerContext) => runTool(name, tool, args, contextOf(context), inPlace, log);
  const registeredName = inPlace.addTool(name, tool.passed);
  const registered =
    input === undefined
      ? mcp.registerTool(registeredName, config, (context) => call({}, context))
      : mcp.registerTool(registeredName, { ...config, inputSchema: explained(input) }, call);
  // The SDK lists `execution`, but has no option for it.
  if (execution !== undefined) registered.execution = execution;
  return () => registered.remove();
}

async function runTool(
  name: string,
  { options, handler, passed }: ToolDefinition,
  args: unknown,
  context: CallContext,
  inPlace: AnswersInPlace,
  log: Log,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const answer = await handler(passed ? inPlace.argumentsOf(context.mcpReq.id, args) : args, context);
    if (answer instanceof PassedResult) {
      inPlace.set(context.mcpReq.id, answer.result);
      return replaced;
    }
    const result = toResult(answer, options.output !== undefined);
    if (!isTask(result)) return withNamedQuestions(result, context.caller);
    inPlace.set(context.mcpReq.id, result);
    return replaced;
  } catch (error) {
    // Errors of the SDK are part of the protocol; all others become the tool's answer.
    if (error instanceof ProtocolError) throw error;
    if (error instanceof RpcError) inPlace.set(context.mcpReq.id, error);
    return failedResult(name, isItsAbort(error, context.mcpReq.signal) ? cancelled() : error, log);
  }
}

/** Whether a handler failed because its client disconnected (as `fetch` with the call's signal does): not logged. */
function isItsAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));
}

function cancelled(): LiveError {
  return new LiveError('UNAVAILABLE', 'The call was cancelled.');
}

/** A failure as the tool's answer. */
export function failedResult(name: string, error: unknown, log: Log): CallToolResult {
  const isAnswer = error instanceof LiveError || error instanceof RpcError;
  const { code, message } = isAnswer ? error : internalError(error, { tool: name }, log);
  return { isError: true, content: [text(message)], _meta: { 'tidings/code': code } };
}

/** A task that a gateway passes on, in either era. */
function isTask(result: CallToolResult | InputRequiredResult): result is CallToolResult {
  return result['resultType'] === 'task' || ('task' in result && !isInputRequiredResult(result));
}

/** Turns what a handler returned into a result. */
export function toResult(value: unknown, isStructured: boolean): CallToolResult | InputRequiredResult {
  if (value instanceof ToolResult) return sendable(value.result);
  if (isInputRequiredResult(value)) return value;
  if (isSdkResult(value, isStructured)) return sendable(value);
  if (isStructured) return { content: [text(JSON.stringify(value))], structuredContent: value };
  if (value === undefined) return { content: [] };
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) throw bytesWithoutType();
  return { content: [text(typeof value === 'string' ? value : requiredJson(value))] };
}

function bytesWithoutType(): TypeError {
  const block = "{ type: 'image', mimeType: 'image/png', data: bytes.toString('base64') }";
  return new TypeError(
    `A tool returned bytes without saying what they are: return toolResult({ content: [${block}] }).`,
  );
}

function requiredJson(value: unknown): string {
  const json = jsonOf(value);
  if (json === undefined) throw new TypeError(`A tool returned a ${typeof value}, which has no JSON.`);
  return json;
}

/** Throws if a part of the result that may hold any value has no JSON. */
function sendable(result: CallToolResult): CallToolResult {
  const { content, structuredContent, _meta } = result;
  if (structuredContent !== undefined) jsonOf(structuredContent);
  for (const { _meta: meta } of [{ _meta }, ...content]) {
    if (meta !== undefined) checkValue('The _meta of a result', meta, aJsonObject);
  }
  return result;
}

const resultKeys = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType']);

/** Whether a handler returned a result in the SDK's form, and not data that happens to have a `content` member. */
function isSdkResult(value: unknown, isStructured: boolean): value is CallToolResult {
  if (!isObject(value) || !Array.isArray(value['content'])) return false;
  if (isStructured && !('structuredContent' in value) && !('isError' in value)) return false;
  const isBlock = (each: unknown) => isSpecType.ContentBlock(each);
  return Object.keys(value).every((key) => resultKeys.has(key)) && value['content'].every(isBlock);
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}

const hints: Check = {
  expected: 'an object with title (a text) and hints such as readOnlyHint (true or false)',
  accepts: (value) => isSpecType.ToolAnnotations(value),
};

const toolChecks = {
  title: aString,
  description: aString,
  input: anything,
  output: anything,
  annotations: hints,
  icons: aList,
  execution: anObject,
  _meta: aJsonObject,
  visibleTo: aFunction,
};

export function assertTool(name: string, { options }: ToolDefinition): void {
  checkOptions(`Tool "${name}"`, options, toolChecks);
  const { input, output } = options;
  if (input !== undefined) assertSchema(`The input of tool "${name}"`, input, 'input');
  if (output !== undefined) assertSchema(`The output of tool "${name}"`, output, 'output');
}
