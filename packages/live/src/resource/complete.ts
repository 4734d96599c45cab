// `completion/complete`: suggestions for one variable of a template or one argument of a prompt.
import type { CompleteResult } from '@modelcontextprotocol/server';

/** MCP allows a hundred values in an answer. */
const maxValues = 100;

export type Completer = (
  prefix: string,
  chosen: Record<string, string>,
) => Iterable<string> | Promise<Iterable<string>>;

export type Completers = Readonly<Record<string, Completer | undefined>>;

/** A client may ask for any name, also for one that every object inherits. */
export function completerOf(completers: Completers = {}, name: string): Completer | undefined {
  return Object.hasOwn(completers, name) ? completers[name] : undefined;
}

export async function complete(
  completer: Completer | undefined,
  prefix: string,
  chosen: Record<string, string>,
): Promise<CompleteResult> {
  const values = completer === undefined ? [] : [...(await completer(prefix, chosen))];
  return {
    completion: { values: values.slice(0, maxValues), total: values.length, hasMore: values.length > maxValues },
  };
}
