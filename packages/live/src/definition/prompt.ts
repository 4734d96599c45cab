// Prompts: defined once, registered with the SDK for each connection.
import type {
  GetPromptResult,
  Icon,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { Log } from '../log.ts';
import type { Completer } from '../resource/complete.ts';
import type { CallContext, ContextOf } from '../resource/call-context.ts';
import type { Caller } from '../resource/caller.ts';
import { assertSchema } from './schema.ts';
import { answering } from './wire-error.ts';

/** What a prompt is besides its handler. All of it is optional. */
export interface PromptOptions<Args extends StandardSchemaWithJSON> {
  title?: string;
  description?: string;
  args?: Args;
  /** Suggestions for arguments, by their names. */
  complete?: Completers<Args>;
  icons?: Icon[];
  _meta?: Record<string, unknown>;
  /** Whether this caller has the prompt. Default: every caller has it. */
  visibleTo?(this: void, caller: Caller): boolean;
}

/** Where the arguments are not known to the compiler, any name. */
type Completers<Args extends StandardSchemaWithJSON> =
  unknown extends StandardSchemaWithJSON.InferInput<Args>
    ? Record<string, Completer>
    : { [K in keyof StandardSchemaWithJSON.InferInput<Args>]?: Completer };

export type PromptAnswer = string | GetPromptResult | InputRequiredResult;
export type PromptHandler = (args: unknown, context: CallContext) => PromptAnswer | Promise<PromptAnswer>;

export interface PromptDefinition {
  readonly options: PromptOptions<StandardSchemaWithJSON>;
  readonly handler: PromptHandler;
}

/** Returns a function that removes it. */
export function registerPrompt(
  mcp: McpServer,
  name: string,
  prompt: PromptDefinition,
  contextOf: ContextOf,
  log: Log,
): () => void {
  const { args: argsSchema, complete: _complete, visibleTo: _visibleTo, ...config } = prompt.options;
  const get = (args: unknown, context: ServerContext) =>
    answering(log, { prompt: name }, async () => toResult(await prompt.handler(args, contextOf(context))));
  const registered =
    argsSchema === undefined
      ? mcp.registerPrompt(name, config, (context) => get({}, context))
      : mcp.registerPrompt(name, { ...config, argsSchema }, get);
  return () => registered.remove();
}

/** A plain string is one message of the user. */
function toResult(answer: PromptAnswer): GetPromptResult | InputRequiredResult {
  if (typeof answer !== 'string') return answer;
  return { messages: [{ role: 'user', content: { type: 'text', text: answer } }] };
}

export function assertPrompt(name: string, { options: { args } }: PromptDefinition): void {
  if (args !== undefined) assertSchema(`The args of prompt "${name}"`, args, 'input');
}
