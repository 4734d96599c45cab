// Prompts: defined once, registered with the SDK for each connection.
import type {
  GetPromptResult,
  Icon,
  InputRequiredResult,
  McpServer,
  Prompt,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { aFunction, aString, anObject, anything, checkOptions, either } from '../check-options.ts';
import type { Log } from '../log.ts';
import type { Completer, CompleterOf } from '../resource/complete.ts';
import type { CallContext, ContextOf } from '../resource/call-context.ts';
import type { Caller } from '../resource/caller.ts';
import { assertSchema, describedIn } from './schema.ts';
import { withNamedQuestions } from './named-questions.ts';
import { answering } from './wire-error.ts';

/** What a prompt is besides its handler. All of it is optional. */
export interface PromptOptions<Args extends StandardSchemaWithJSON> {
  title?: string;
  description?: string;
  /** What its arguments must be. Default: it takes none. */
  args?: Args;
  /** How its arguments are listed. Default: as `args` describes them. */
  arguments?: Prompt['arguments'];
  /** Suggestions for arguments, by their names. */
  complete?: Completers<Args> | CompleterOf;
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
  const {
    args: argsSchema,
    arguments: _arguments,
    complete: _complete,
    visibleTo: _visibleTo,
    ...config
  } = prompt.options;
  const get = (args: unknown, given: ServerContext) =>
    answering(log, { prompt: name }, async () => {
      const context = contextOf(given);
      return withNamedQuestions(toResult(await prompt.handler(args, context)), context.caller);
    });
  const registered =
    argsSchema === undefined
      ? mcp.registerPrompt(name, config, (context) => get({}, context))
      : mcp.registerPrompt(name, { ...config, argsSchema }, get);
  return () => registered.remove();
}

/** As a list shows it. */
export function listedPrompt(name: string, { options }: PromptDefinition): Prompt {
  const { args, title, description, icons, _meta } = options;
  const given = 'arguments' in options ? options.arguments : args && argumentsOf(args);
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(given && { arguments: given }),
    ...(icons && { icons }),
    ...(_meta && { _meta }),
  };
}

function argumentsOf(args: StandardSchemaWithJSON): NonNullable<Prompt['arguments']> {
  const { properties = {}, required = [] } = describedIn(args);
  return Object.entries(properties).map(([name, described]) => {
    const { title, description } = described;
    const argument = { name, required: required.includes(name) };
    return Object.assign(argument, title !== undefined && { title }, description !== undefined && { description });
  });
}

/** A plain string is one message of the user. */
function toResult(answer: PromptAnswer): GetPromptResult | InputRequiredResult {
  if (typeof answer !== 'string') return answer;
  return { messages: [{ role: 'user', content: { type: 'text', text: answer } }] };
}

const promptChecks = {
  title: aString,
  description: aString,
  args: anything,
  arguments: anObject,
  complete: either(anObject, aFunction),
  icons: anObject,
  _meta: anObject,
  visibleTo: aFunction,
};

export function assertPrompt(name: string, { options }: PromptDefinition): void {
  checkOptions(`Prompt "${name}"`, options, promptChecks);
  const { args } = options;
  if (args !== undefined) assertSchema(`The args of prompt "${name}"`, args, 'input');
}
