// `tidings login SERVER` and `tidings logout SERVER`: logins at servers that require OAuth.
import type { Command } from 'commander';
import type { LogInSettings } from '../../login/log-in.ts';
import type { LogOutSettings } from '../../login/log-out.ts';
import { refuseUnused } from '../option/refuse-unused.ts';
import { httpUrl } from '../option/target-options.ts';
import { dataOption } from '../option/data-option.ts';
import { portNumber } from '../option/port-number.ts';
import { positiveNumber } from '../option/positive-number.ts';
import { variableOption } from '../option/variable-option.ts';

const loginExamples = `
Examples:
  tidings login notes                          a server of the configuration
  tidings login https://example.com/mcp        any server, for --server of other commands
  tidings login notes --no-browser             on a machine without a browser: prints the address,
                                               and reads the final one from stdin
  tidings login notes --hub https://hub.example.com   your own login at a server of that hub,
                                               with the token in TIDINGS_TOKEN

The login is stored in the data folder, readable by you only, and belongs to the address of the
server. A hub on the same data folder uses it for all its callers, and renews it. With --hub, at a
server with "login": "per-user", the hub keeps the login and uses it for you only.`;

const logoutExamples = `
Examples:
  tidings logout notes
  tidings logout notes --hub https://hub.example.com

The login is revoked, if the authorization server can do that, and deleted.`;

export function addLoginCommands(program: Command): void {
  program
    .command('login')
    .usage('SERVER [options]')
    .summary('log in to a server that requires OAuth')
    .description('Logs in to a server in your browser, and stores the login for the hub and other commands.')
    .argument('<server>', 'its id in the configuration, or its URL')
    .addOption(
      variableOption('--scope <scopes>', 'request these, instead of those that the server names', 'TIDINGS_SCOPE'),
    )
    .addOption(variableOption('--no-browser', 'open no browser', 'TIDINGS_NO_BROWSER'))
    .addOption(
      variableOption(
        '--port <number>',
        'the port of the callback on 127.0.0.1 (default: that of the last login, or a free one)',
        'TIDINGS_LOGIN_PORT',
      ).argParser(portNumber),
    )
    .addOption(
      variableOption('--timeout <seconds>', 'how long to wait for you', 'TIDINGS_LOGIN_TIMEOUT')
        .default(300)
        .argParser(positiveNumber),
    )
    .addOption(ownHubOption())
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(variableOption('--json', 'print the result as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', loginExamples)
    .action(async (server: string, settings: LogInSettings & AtHub, command: Command) => {
      const { hub } = settings;
      if (hub !== undefined) {
        refuseUnused(command, ownOptions, atHub);
        const { logInAtHub } = await import('../../login/login-at-hub.ts');
        return logInAtHub(server, { ...settings, hub });
      }
      const { logIn } = await import('../../login/log-in.ts');
      await logIn(server, settings);
    });
  program
    .command('logout')
    .usage('SERVER [options]')
    .summary('end a login at a server')
    .description('Revokes and deletes the login at a server.')
    .argument('<server>', 'its id in the configuration, or its URL')
    .addOption(ownHubOption())
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(variableOption('--json', 'print the result as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', logoutExamples)
    .action(async (server: string, settings: LogOutSettings & AtHub, command: Command) => {
      const { hub } = settings;
      if (hub !== undefined) {
        refuseUnused(command, ownOptions, atHub);
        const { logOutAtHub } = await import('../../login/login-at-hub.ts');
        return logOutAtHub(server, { ...settings, hub });
      }
      const { logOut } = await import('../../login/log-out.ts');
      await logOut(server, settings);
    });
}

interface AtHub {
  hub?: URL;
}

/** Options of a login that is stored on this machine. */
const ownOptions = ['config', 'data'];
const atHub = 'the hub at --hub has the configuration, and keeps the login.';

/** The variable is not TIDINGS_HUB, which may be set for other commands: most logins are stored on this machine. */
function ownHubOption() {
  const summary = 'your own login at a server of the hub at this address, which keeps it';
  return variableOption('--hub <url>', summary, 'TIDINGS_LOGIN_HUB').argParser(httpUrl);
}

function configOption() {
  return variableOption('--config <file>', 'the configuration that has the server', 'TIDINGS_CONFIG');
}
