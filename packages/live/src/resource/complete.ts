// `completion/complete`: suggestions for one variable of a template or one argument of a prompt.
import type { CompleteResult } from '@modelcontextprotocol/server';
import type { Caller } from './caller.ts';

/** MCP allows a hundred values in an answer. */
const maxValues = 100;

/** What can be suggested, in whatever way it comes. */
type Suggestions = Iterable<string> | AsyncIterable<string>;

/** `chosen` are the other variables the client has filled in. */
export type Completer = (
  prefix: string,
  chosen: Record<string, string>,
  caller: Caller,
) => Suggestions | Promise<Suggestions>;

export interface Completion {
  completer: Completer | undefined;
  /** Whether this value may be suggested to this caller. */
  permits: (value: string) => boolean | Promise<boolean>;
}

/** The completer of one name. The name is a client's: what every object inherits does not count. */
export function completerOf(completers: object | undefined, name: string): Completer | undefined {
  return completers !== undefined && Object.hasOwn(completers, name) ? Reflect.get(completers, name) : undefined;
}

export async function complete(
  { completer, permits }: Completion,
  prefix: string,
  chosen: Record<string, string>,
  caller: Caller,
): Promise<CompleteResult> {
  const values: string[] = [];
  for await (const value of (await completer?.(prefix, chosen, caller)) ?? []) {
    if (!(await permits(value))) continue;
    if (values.length === maxValues) return { completion: { values, hasMore: true } };
    values.push(value);
  }
  return { completion: { values, total: values.length, hasMore: false } };
}
