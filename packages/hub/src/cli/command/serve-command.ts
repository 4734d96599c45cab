// `tidings serve NAME`: every server is a subcommand with its own help and flags.
import type { Log } from '@tidings/live';
import type { Command, Option } from 'commander';
import { allowHostOption } from '../option/allow-host-option.ts';
import { busOption } from '../option/bus-option.ts';
import { dataOption } from '../option/data-option.ts';
import { logLevelOption } from '../option/log-level-option.ts';
import { portNumber } from '../option/port-number.ts';
import type { Flag, Servable } from '../../serve/servable.ts';
import { servables } from '../../serve/servables.ts';
import type { ServeSettings } from '../../serve/serve.ts';
import { refuseUnused } from '../option/refuse-unused.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings serve counter                          on stdin and stdout, for hosts that start servers
  tidings serve schedules                        the same, for agents that schedule notifications
  tidings serve files --folder . --port 7411     over HTTP, at http://127.0.0.1:7411/mcp`;

type Options = Omit<ServeSettings, 'name'> & { data: string; bus?: string };

export function addServeCommand(program: Command): void {
  const group = program
    .command('serve')
    .usage('NAME [options]')
    .summary('serve one MCP server')
    .description('Serves one MCP server, on stdin and stdout or over HTTP.')
    .commandsGroup('Servers:')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (server) => server.name() })
    .addHelpText('after', examples);
  for (const servable of servables) addServer(group, servable);
  // After the subcommands are added, so that they keep the general hint.
  group.showHelpAfterError(`(servers: ${servables.map(({ name }) => name).join(', ')})`);
}

function addServer(group: Command, { name, summary, flags = {}, storesInPlace, create, routes }: Servable): void {
  const command = group.command(name).summary(summary).description(`Serves ${summary}.`);
  for (const [key, flag] of Object.entries(flags)) command.addOption(flagOption(key, flag));
  if (storesInPlace) command.addOption(busOption());
  for (const option of commonOptions()) command.addOption(option);
  command.action(async () => {
    const options = command.opts<Options>();
    const { data, port } = options;
    if (port === undefined) {
      refuseUnused(
        command,
        ['host', 'allowHost', 'insecure', 'json'],
        'without --port, the server is on stdin and stdout.',
      );
    }
    const own = Object.fromEntries(Object.keys(flags).map((key) => [key, command.getOptionValue(key)]));
    // Imported here, so that help and usage errors do not wait for it to load.
    const { serve } = await import('../../serve/serve.ts');
    const { openBus } = await import('../../setup/open-bus.ts');
    const open = async (log: Log) => {
      const bus = await openBus(options, log);
      const server = await create({ ...own, data }, { log, bus });
      server.onClose(() => bus?.close());
      return server;
    };
    await serve(open, { ...options, name, routes });
  });
}

function flagOption(key: string, { placeholder, summary, variable, required = false, parse }: Flag): Option {
  const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const option = variableOption(`--${flag} <${placeholder}>`, summary, variable).makeOptionMandatory(required);
  return parse ? option.argParser(parse) : option;
}

function commonOptions(): Option[] {
  const port = variableOption('--port <number>', 'serve over HTTP at /mcp; 0 takes any free port', 'TIDINGS_PORT');
  const host = variableOption(
    '--host <address>',
    'address to listen on; other than loopback needs TIDINGS_TOKEN',
    'TIDINGS_HOST',
  );
  const insecure = variableOption('--insecure', 'allow other machines without a token', 'TIDINGS_INSECURE');
  const json = variableOption('--json', 'print the address as JSON', 'TIDINGS_JSON');
  const address = [port.argParser(portNumber), host.default('127.0.0.1'), allowHostOption(), insecure];
  return [...address, dataOption(), json, logLevelOption()];
}
