// The options with which commands choose a server: --hub, --server, or a command after `--`.
import { isWebUrl, parsedUrl } from '@tidings/live/portable';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { type ServerTarget, hubEndpoint } from '../../look/target.ts';
import { Failure } from '../../terminal/failure.ts';
import { variableOption } from './variable-option.ts';

export const defaultHub = 'http://127.0.0.1:7411';

export function addTargetOptions(command: Command): void {
  const server = variableOption('--server <url>', 'connect to this MCP server over HTTP', 'TIDINGS_SERVER');
  command.addOption(hubOption('connect to the hub at this address'));
  command.addOption(server.argParser(httpUrl));
  command.addHelpText(
    'after',
    `
Instead of --hub or --server, a command after -- is started as a server on stdin and stdout.
A hub gets the token in TIDINGS_TOKEN, a server the one in TIDINGS_SERVER_TOKEN.`,
  );
}

/** The chosen server, and the operands that are not part of a server's command. */
export function chosenTarget(
  command: Command,
  allArgs: readonly string[],
): { target: ServerTarget; operands: string[] } {
  const dashes = allArgs.indexOf('--');
  const commandLine = dashes === -1 ? [] : allArgs.slice(dashes + 1);
  const operands = command.args.slice(0, command.args.length - commandLine.length);
  return { target: chosen(command, dashes === -1 ? undefined : commandLine), operands };
}

function chosen(command: Command, commandLine: readonly string[] | undefined): ServerTarget {
  const { hub, server } = command.opts<{ hub: URL; server?: URL }>();
  const isTyped = (option: string) => command.getOptionValueSource(option) === 'cli';
  const typed = [isTyped('hub'), isTyped('server'), commandLine !== undefined].filter(Boolean);
  if (typed.length > 1) throw new Failure('Name one server: --hub, --server, or a command after --.', 2);
  if (commandLine) {
    const [name, ...args] = commandLine;
    if (!name) throw new Failure('After -- comes the command that starts a server.', 2);
    return { kind: 'command', command: name, args };
  }
  // Flags override environment variables.
  if (server && !isTyped('hub')) return { kind: 'server', url: server, token: variable('TIDINGS_SERVER_TOKEN') };
  return { kind: 'hub', url: hubEndpoint(hub), token: variable('TIDINGS_TOKEN') };
}

/** For commands that connect to a hub only. */
export function hubOption(summary: string): Option {
  const option = variableOption('--hub <url>', summary, 'TIDINGS_HUB');
  return option.argParser(httpUrl).default(new URL(defaultHub), defaultHub);
}

function variable(name: string): string | undefined {
  return process.env[name] || undefined;
}

export function httpUrl(text: string): URL {
  const url = parsedUrl(text);
  if (!url || !isWebUrl(url)) {
    throw new InvalidArgumentError('An address looks like http://127.0.0.1:7411.');
  }
  return url;
}
