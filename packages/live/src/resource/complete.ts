// `completion/complete`: suggestions for one variable of a template or one argument of a prompt.
import type { CompleteResult } from '@modelcontextprotocol/server';
import { aString, checkValue } from '../base/check-options.ts';
import type { CallContext } from './call-context.ts';
import type { Caller } from './caller.ts';

/** The protocol allows at most a hundred values in an answer. */
const maxValues = 100;

/** Suggestions, in any of the accepted forms. */
type Suggestions = Iterable<string> | AsyncIterable<string> | SuggestedPage | SuggestedResult;

/** A part of the suggestions, from a source that knows how many there are. */
type SuggestedPage = CompleteResult['completion'];

/** The whole result of another server, for a gateway to pass on. */
export class SuggestedResult {
  readonly result: CompleteResult;

  constructor(result: CompleteResult) {
    this.result = result;
  }
}

/** `chosen` has the variables that the client has filled in already, `context` is the request. */
export type Completer = (
  prefix: string,
  chosen: Record<string, string>,
  caller: Caller,
  context: CallContext,
) => Suggestions | Promise<Suggestions>;

/** Finds the completer of a name, for names that are not known in advance. */
export type CompleterOf = (name: string) => Completer | undefined;

export interface Completion {
  completer: Completer | undefined;
  /** Whether this value may be suggested to this caller. */
  permits: (value: string) => boolean | Promise<boolean>;
}

/** The completer of one name. The name comes from a client, so inherited members of an object are ignored. */
export function completerOf(completers: object | CompleterOf | undefined, name: string): Completer | undefined {
  if (isCompleterOf(completers)) return completers(name);
  return completers !== undefined && Object.hasOwn(completers, name) ? Reflect.get(completers, name) : undefined;
}

function isCompleterOf(completers: object | undefined): completers is CompleterOf {
  return typeof completers === 'function';
}

export async function complete(
  { completer, permits }: Completion,
  prefix: string,
  chosen: Record<string, string>,
  caller: Caller,
  context: CallContext,
): Promise<CompleteResult> {
  const found = (await completer?.(prefix, chosen, caller, context)) ?? [];
  if (found instanceof SuggestedResult) {
    const { result } = found;
    return { ...result, completion: await permittedPage(result.completion, permits) };
  }
  if (isPage(found)) return { completion: await permittedPage(found, permits) };
  const values: string[] = [];
  for await (const value of found) {
    checkValue('A suggestion', value, aString);
    if (!(await permits(value))) continue;
    if (values.length === maxValues) return { completion: { values, hasMore: true } };
    values.push(value);
  }
  return { completion: { values, total: values.length, hasMore: false } };
}

function isPage(found: Exclude<Suggestions, SuggestedResult>): found is SuggestedPage {
  return 'values' in found && Array.isArray(found.values);
}

/** The total is passed on only if this caller may see all of the values. */
async function permittedPage(page: SuggestedPage, permits: Completion['permits']): Promise<SuggestedPage> {
  const values: string[] = [];
  for (const value of page.values.slice(0, maxValues)) {
    checkValue('A suggestion', value, aString);
    if (await permits(value)) values.push(value);
  }
  if (values.length === page.values.length) return { ...page, values };
  return { values, hasMore: page.values.length > maxValues || page.hasMore === true };
}
