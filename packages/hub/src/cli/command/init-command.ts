// `tidings init HOST`: the settings with which an MCP host finds Tidings.
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import { absolutePlace } from '../../base/data-place.ts';
import { type HostWay, unknownSecrets } from '../../init/entries.ts';
import { hookHosts } from '../../hook/hook-host.ts';
import { hookedHosts } from '../../init/hooked-host.ts';
import { type Host, hosts } from '../../init/host.ts';
import type { HostSetup } from '../../init/init.ts';
import { hubEndpoint } from '../../look/target.ts';
import { systemClock } from '@tidings/live/time';
import { visibleText } from '@tidings/live/portable';
import { packageFolder } from '../../base/package-folder.ts';
import { Failure } from '../../terminal/failure.ts';
import { jsonText } from '../../terminal/print-line.ts';
import { print } from '../../terminal/print.ts';
import { servables } from '../../serve/servables.ts';
import { defaultHub, httpUrl } from '../option/target-options.ts';
import { refuseUnused } from '../option/refuse-unused.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings init claude-desktop             shows the entry and the file it belongs to
  tidings init claude-code --write        adds it, and keeps a backup
  tidings init cursor --via stdio         has the host start the servers itself
  tidings init claude-desktop --via hub   has the host start a bridge to the running hub
  tidings init claude-code --hooks        has the host tell its model what changed`;

/** The servers that a host gets; not the examples. */
const builtins = new Set(['obs', 'schedules', 'vcon']);

interface Options {
  via?: 'hub' | 'stdio';
  hub: URL;
  data?: string;
  hooks?: boolean;
  write?: boolean;
  json?: boolean;
}

export function addInitCommand(program: Command): void {
  const names = new Set([...hosts.map(({ name }) => name), ...hookHosts]);
  const command = program
    .command('init')
    .usage('HOST [options]')
    .summary('set up an MCP host')
    .description('Shows the entry for the settings of a host, or adds it.')
    .addArgument(new Argument('<host>', 'the host').choices([...names]))
    .addOption(
      variableOption('--via <way>', 'the running hub, or servers the host starts', 'TIDINGS_VIA').choices([
        'hub',
        'stdio',
      ]),
    )
    .addOption(
      variableOption('--hub <url>', "the hub's address", 'TIDINGS_HUB')
        .argParser(httpUrl)
        .default(new URL(defaultHub), defaultHub),
    )
    .addOption(variableOption('--data <place>', 'the folder for state of servers the host starts', 'TIDINGS_DATA'))
    .addOption(variableOption('--hooks', "the host's hooks, instead of its servers", 'TIDINGS_HOOKS'))
    .addOption(variableOption('--write', 'edit the file, keeping a backup beside it', 'TIDINGS_WRITE'))
    .addOption(variableOption('--json', 'print what was done as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', examples);
  command.action(async (name: string) => {
    const { hooks, json } = command.opts<Options>();
    const report = await (hooks ? setUpHooksOf(command, name) : setUpServersOf(command, name));
    await print(json ? `${jsonText(report.setup, 2)}\n` : visibleText(inWords(report)));
  });
}

interface SetupReport {
  setup: HostSetup;
  /** The name of the host. */
  title: string;
  /** What to do next. */
  next: string;
}

async function setUpServersOf(command: Command, name: string): Promise<SetupReport> {
  const host = hosts.find((each) => each.name === name);
  if (!host) throw new Failure(`Tidings sets up only hooks for ${name}: add --hooks.`, 2);
  const { via } = command.opts<Options>();
  const way = via ?? (host.takesAddress || isGiven(command, 'hub') ? 'hub' : 'stdio');
  assertUsed(command, way);
  const { setUpServers } = await import('../../init/init.ts');
  const settings = settingsOf(command);
  const setup = await setUpServers({ ...settings, host, way });
  const secrets = unknownSecrets(host, way, settings.installation).map(
    ([entry, { variable, what }]) => `${what} belongs into the entry ${entry}: "env": {"${variable}": "…"}.\n`,
  );
  return { setup, title: host.title, next: secrets.join('') + nextSteps(host, way) };
}

async function setUpHooksOf(command: Command, name: string): Promise<SetupReport> {
  const host = hookedHosts.find((each) => each.name === name);
  if (!host) throw new Failure(`${name} has no hooks.`, 2);
  refuseUnused(command, ['via', 'data'], 'hooks always use the running hub. Leave it or --hooks out.');
  const { setUpHooks } = await import('../../init/init.ts');
  const settings = settingsOf(command);
  const setup = await setUpHooks({ ...settings, host });
  const token = settings.installation.hasToken ? `${host.title} needs TIDINGS_TOKEN in its environment.\n` : '';
  return { setup, title: host.title, next: token + host.next };
}

function settingsOf(command: Command) {
  const { hub, data, write = false } = command.opts<Options>();
  const served = servables.filter((each) => builtins.has(each.name));
  const installation = {
    node: process.execPath,
    bin: join(packageFolder(), 'bin', 'tidings.js'),
    servers: served.map((each) => each.name),
    secrets: Object.fromEntries(
      served.flatMap(({ name, secret }) =>
        secret ? [[name, { ...secret, isSet: Boolean(process.env[secret.variable]) }]] : [],
      ),
    ),
    hub: hubEndpoint(hub),
    hasToken: Boolean(process.env['TIDINGS_TOKEN']),
    data: data === undefined ? undefined : absolutePlace(data),
  };
  const where = { env: process.env, platform: process.platform };
  return { write, where, installation, now: new Date(systemClock.date()) };
}

function isGiven(command: Command, option: string): boolean {
  return command.getOptionValueSource(option) !== 'default' && command.getOptionValue(option) !== undefined;
}

function assertUsed(command: Command, way: HostWay): void {
  const reason = way === 'hub' ? 'a running hub has its own data folder' : 'the host starts the servers itself';
  refuseUnused(command, [way === 'hub' ? 'data' : 'hub'], `with --via ${way}, ${reason}. Leave one of the two out.`);
}

function nextSteps({ next, takesAddress }: Host, way: HostWay): string {
  const needsToken = way === 'hub' && !takesAddress && Boolean(process.env['TIDINGS_TOKEN']);
  return needsToken ? `The hub requires a token: add "env": {"TIDINGS_TOKEN": "…"} to the entry.\n${next}` : next;
}

function inWords({ setup: { file, snippet, written, backup }, title, next }: SetupReport): string {
  switch (written) {
    case 'none':
      return `${JSON.stringify(snippet, null, 2)}\n\nPut this into ${file}, or let --write do it.\n${next}\n`;
    case 'already there':
      return `${title} has it already: nothing to do in ${file}.\n`;
    default:
      return `${written === 'created' ? 'Created' : 'Changed'} ${file}.\n${backup ? `Backup of the previous file: ${backup}\n` : ''}${next}\n`;
  }
}
