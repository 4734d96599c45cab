// `tidings up`: the hub.
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { isWebUrl, parsedUrl } from '@tidings/live/portable';
import { isDatabase } from '../../base/data-place.ts';
import { allowHostOption } from '../option/allow-host-option.ts';
import { busOption } from '../option/bus-option.ts';
import { dataOption } from '../option/data-option.ts';
import { logLevelOption } from '../option/log-level-option.ts';
import { portNumber } from '../option/port-number.ts';
import type { UpSettings } from '../../up/up.ts';
import { refuseUnused } from '../option/refuse-unused.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings up                                     the built-in servers, at http://127.0.0.1:7411
  tidings up --config servers.json --port 8000   your own servers, elsewhere
  tidings up --demo --open                       sample data that keeps changing, in your browser
  tidings up --data postgres://db/tidings        one of several nodes, see docs/scale.md`;

export function addUpCommand(program: Command): void {
  program
    .command('up')
    .summary('run the hub: all servers, one address')
    .description('Runs the hub: built-in and configured servers, one MCP endpoint, the event stream and the dashboard.')
    .addOption(
      variableOption('--port <number>', 'port to listen on; 0 takes any free port', 'TIDINGS_PORT')
        .default(7411)
        .argParser(portNumber),
    )
    .addOption(
      variableOption(
        '--host <address>',
        'address to listen on; other than loopback needs TIDINGS_TOKEN',
        'TIDINGS_HOST',
      ).default('127.0.0.1'),
    )
    .addOption(allowHostOption())
    .addOption(variableOption('--insecure', 'allow other machines without a token', 'TIDINGS_INSECURE'))
    .addOption(dataOption())
    .addOption(busOption())
    .addOption(
      variableOption(
        '--config <file>',
        'the servers (default: config/mcp-servers.json here or of the user, else those built in; on a database, first what "tidings config" stored)',
        'TIDINGS_CONFIG',
      ),
    )
    .addOption(
      variableOption(
        '--advertise <url>',
        'where other nodes on its database reach it (default: where it listens)',
        'TIDINGS_ADVERTISE',
      ).argParser(nodeAddress),
    )
    .addOption(variableOption('--trust', 'let a configuration file that was found start its commands', 'TIDINGS_TRUST'))
    .addOption(variableOption('--demo', 'load sample data and keep changing it', 'TIDINGS_DEMO'))
    .addOption(variableOption('--open', 'open the dashboard in your browser', 'TIDINGS_OPEN'))
    .addOption(variableOption('--json', 'print the addresses as JSON', 'TIDINGS_JSON'))
    .addOption(logLevelOption())
    .addHelpText('after', examples)
    .action(async (given: UpSettings, command: Command) => {
      if (!isDatabase(given.data)) {
        refuseUnused(
          command,
          ['advertise'],
          'it is for several nodes on one database: name the database with --data postgres://…',
        );
      }
      // Samples are kept apart from the user's own data.
      const isUsual = command.getOptionValueSource('data') === 'default';
      const settings = given.demo && isUsual ? { ...given, data: join(given.data, 'demo') } : given;
      // Imported here, so that help and usage errors do not wait for it to load.
      const { up } = await import('../../up/up.ts');
      await up(settings);
    });
}

function nodeAddress(text: string): string {
  const url = parsedUrl(text);
  if (url !== undefined && isWebUrl(url)) return url.origin;
  throw new InvalidArgumentError('It is an address such as http://10.0.0.5:7411.');
}
