// Prompts: defined once, registered with the SDK for each connection.
import {
  type GetPromptResult,
  type Icon,
  type InputRequiredResult,
  type McpServer,
  type Prompt,
  type ServerContext,
  type StandardSchemaWithJSON,
  isInputRequiredResult,
} from '@modelcontextprotocol/server';
import {
  aFunction,
  aJsonObject,
  aList,
  aString,
  anObject,
  anything,
  checkOptions,
  checkValue,
  either,
} from '../base/check-options.ts';
import { jsonOf } from '../base/json-of.ts';
import type { Log } from '../base/log.ts';
import { isObject } from '../portable/is-object.ts';
import type { Completer, CompleterOf } from '../resource/complete.ts';
import type { CallContext, ContextOf } from '../resource/call-context.ts';
import type { Caller } from '../resource/caller.ts';
import type { AnswersInPlace } from './answer/answers-in-place.ts';
import { PassedResult } from './answer/passed-result.ts';
import { assertSchema, describedIn, explained } from './tool/schema.ts';
import { withNamedQuestions } from './client/named-questions.ts';
import { answering } from './answer/wire-error.ts';

/** The options of a prompt. All are optional. */
export interface PromptOptions<Args extends StandardSchemaWithJSON> {
  /** A name for people. Default: the prompt's name. */
  title?: string;
  /** What the prompt does. Default: none. */
  description?: string;
  /** The schema of its arguments. Default: it takes none. */
  args?: Args;
  /** How the arguments are listed. Default: as `args` describes them. */
  arguments?: Prompt['arguments'];
  /** Suggestions for arguments, by their names. Default: none. */
  complete?: Completers<Args> | CompleterOf;
  /** Default: none. */
  icons?: Icon[];
  /** Default: none. */
  _meta?: Record<string, unknown>;
  /** Whether this caller may see and use the prompt. Default: every caller may. */
  visibleTo?(this: void, caller: Caller): boolean;
}

/** Any name, where the compiler does not know the arguments. */
type Completers<Args extends StandardSchemaWithJSON> =
  unknown extends StandardSchemaWithJSON.InferInput<Args>
    ? Record<string, Completer>
    : { [K in keyof StandardSchemaWithJSON.InferInput<Args>]?: Completer };

export type PromptAnswer = string | GetPromptResult | InputRequiredResult;
type AnyAnswer = PromptAnswer | PassedResult;
export type PromptHandler = (args: unknown, context: CallContext) => AnyAnswer | Promise<AnyAnswer>;

export interface PromptDefinition {
  readonly options: PromptOptions<StandardSchemaWithJSON>;
  readonly handler: PromptHandler;
  /** For a prompt of another server: members of its listing that the kit does not know. */
  readonly passed?: Readonly<Record<string, unknown>>;
}

/** Returns a function that removes it. */
export function registerPrompt(
  mcp: McpServer,
  name: string,
  prompt: PromptDefinition,
  contextOf: ContextOf,
  inPlace: AnswersInPlace,
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
      const passedArgs = prompt.passed ? inPlace.argumentsOf(given.mcpReq.id, args) : args;
      const answer = await prompt.handler(passedArgs, context);
      if (!(answer instanceof PassedResult)) return withNamedQuestions(toResult(name, answer), context.caller);
      inPlace.set(given.mcpReq.id, answer.result);
      return { messages: [] };
    });
  const registeredName = inPlace.addPrompt(name);
  const registered =
    argsSchema === undefined
      ? mcp.registerPrompt(registeredName, config, (context) => get({}, context))
      : mcp.registerPrompt(registeredName, { ...config, argsSchema: explained(argsSchema) }, get);
  return () => registered.remove();
}

/** The prompt as a list shows it. */
export function listedPrompt(name: string, { options, passed }: PromptDefinition): Prompt {
  const { args, title, description, icons, _meta } = options;
  const given = 'arguments' in options ? options.arguments : args && argumentsOf(args);
  return {
    ...passed,
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

/** A string becomes one message of the user. */
function toResult(name: string, answer: PromptAnswer): GetPromptResult | InputRequiredResult {
  if (typeof answer === 'string') return { messages: [{ role: 'user', content: { type: 'text', text: answer } }] };
  // Plain JavaScript may return anything, also undefined.
  const given: unknown = answer;
  if (!isInputRequiredResult(given) && !hasMessages(given)) {
    throw new TypeError(`Prompt "${name}" must return a text or { messages: […] }.`);
  }
  // Throws if the answer cannot be written as JSON.
  jsonOf(answer);
  return answer;
}

function hasMessages(answer: unknown): boolean {
  return isObject(answer) && Array.isArray(answer['messages']);
}

const promptChecks = {
  title: aString,
  description: aString,
  args: anything,
  arguments: aList,
  complete: either(anObject, aFunction),
  icons: aList,
  _meta: aJsonObject,
  visibleTo: aFunction,
};

export function assertPrompt(name: string, { options }: PromptDefinition): void {
  checkOptions(`Prompt "${name}"`, options, promptChecks);
  const { args, complete } = options;
  if (args !== undefined) assertSchema(`The args of prompt "${name}"`, args, 'input');
  if (typeof complete !== 'object') return;
  const known = args && Object.keys(describedIn(args).properties ?? {});
  for (const [argument, completer] of Object.entries(complete)) {
    checkValue(`complete.${argument} of prompt "${name}"`, completer, aFunction);
    if (known?.includes(argument) === false) {
      throw new TypeError(`Prompt "${name}" completes "${argument}", which is not among its args.`);
    }
  }
}
