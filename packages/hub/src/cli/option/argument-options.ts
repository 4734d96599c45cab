// The arguments that `tidings call` and `tidings prompt` share: SERVER, a name, and the arguments of the tool or prompt.
import type { Command, Option } from 'commander';
import { ownTools } from '../../access/own-tools.ts';
import { type ServerTarget, serverEndpoint } from '../../look/target.ts';
import type { GivenArguments } from '../../look/given-arguments.ts';
import { Failure } from '../../terminal/failure.ts';
import { chosenTarget } from './target-options.ts';
import { textOfInput } from './text-of-input.ts';
import { variableOption } from './variable-option.ts';

interface NamedCall extends GivenArguments {
  target: ServerTarget;
  name: string;
}

/** The arguments, where a name is missing before them. */
const isJsonObject = /^\s*\{/;

export function argumentOption(): Option {
  return variableOption('--arg <name=value>', 'one argument; can be repeated', 'TIDINGS_ARG')
    .default([], 'none')
    .argParser((pair: string, before: readonly string[]) => [...before, pair]);
}

/** With a hub, the first operand is one of its servers; with --server or a command, there is no such operand. */
export async function namedCall(
  command: Command,
  allArgs: readonly string[],
  what: 'tool' | 'prompt',
): Promise<NamedCall> {
  const { target, operands } = chosenTarget(command, allArgs);
  const [server, rest] = target.kind === 'hub' ? [operands[0], operands.slice(1)] : [undefined, operands];
  const [name, json, ...others] = rest;
  const isOwnTool = server !== undefined && what === 'tool' && ownTools.has(server);
  if (target.kind === 'hub' && isOwnTool) throw ownTool(target.url, server);
  if (name === undefined || isJsonObject.test(name) || others.length > 0) throw wrongUse(command, target, what);
  const { arg: pairs } = command.opts<{ arg: readonly string[] }>();
  const at =
    target.kind === 'hub' && server !== undefined ? { ...target, url: serverEndpoint(target.url, server) } : target;
  return { target: at, name, json: json === '-' ? await textOfInput(process.stdin) : json, pairs };
}

function ownTool({ origin, pathname }: URL, name: string): Failure {
  const use = `tidings call ${name} [JSON] --server ${origin}${pathname}`;
  return new Failure(`"${name}" is a tool of the hub itself, not a server. Write: ${use}`, 2);
}

function wrongUse(command: Command, target: ServerTarget, what: 'tool' | 'prompt'): Failure {
  const name = what.toUpperCase();
  if (target.kind !== 'hub') return new Failure(`Write: tidings ${command.name()} ${name} [JSON]`, 2);
  return new Failure(
    `Write: tidings ${command.name()} SERVER ${name} [JSON]. "tidings list --servers" shows the servers, "tidings list --${what}s" what they have, as SERVER_${name}.`,
    2,
  );
}
