// `tidings init HOST`: the settings with which an MCP host finds Tidings.
import { fileURLToPath } from 'node:url';
import { Argument, type Command } from 'commander';
import { absolutePlace } from '../../data-place.ts';
import { hosts } from '../../init/host.ts';
import type { Introduction } from '../../init/init.ts';
import { hubEndpoint } from '../../look/target.ts';
import { systemClock } from '@tidings/live/time';
import { visibleText } from '@tidings/live/visible-text';
import { jsonText } from '../../terminal/print-line.ts';
import { print } from '../../terminal/print.ts';
import { servables } from '../../serve/servables.ts';
import { defaultHub, httpUrl } from '../option/target-options.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings init claude-desktop             shows the entry and the file it belongs to
  tidings init claude-code --write        adds it, and keeps a backup
  tidings init cursor --via stdio         has the host start the servers itself`;

/** The servers that a host gets; not the examples. */
const builtins = new Set(['obs', 'schedules', 'vcon']);

interface Options {
  via?: 'hub' | 'stdio';
  hub: URL;
  data?: string;
  write?: boolean;
  json?: boolean;
}

export function addInitCommand(program: Command): void {
  const names = hosts.map(({ name }) => name);
  const command = program
    .command('init')
    .usage('HOST [options]')
    .summary('set up an MCP host')
    .description('Shows the entry for the settings of a host, or adds it.')
    .addArgument(new Argument('<host>', 'the host').choices(names))
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
    .addOption(variableOption('--write', 'edit the file, keeping a backup beside it', 'TIDINGS_WRITE'))
    .addOption(variableOption('--json', 'print what was done as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', examples);
  command.action(async (name: string) => {
    const host = hosts.find((each) => each.name === name);
    if (!host) throw new Error(`No host "${name}"`);
    const { via, hub, data, write = false, json } = command.opts<Options>();
    const { introduce } = await import('../../init/init.ts');
    const introduction = await introduce({
      host,
      way: via,
      write,
      where: { env: process.env, platform: process.platform },
      installation: {
        node: process.execPath,
        bin: fileURLToPath(new URL('../../../bin/tidings.js', import.meta.url)),
        servers: servables.map((each) => each.name).filter((each) => builtins.has(each)),
        hub: hubEndpoint(hub),
        hasToken: Boolean(process.env['TIDINGS_TOKEN']),
        data: data === undefined ? undefined : absolutePlace(data),
      },
      now: new Date(systemClock.date()),
    });
    await print(json ? `${jsonText(introduction, 2)}\n` : visibleText(told(introduction, host.title, host.next)));
  });
}

function told({ file, snippet, written, backup }: Introduction, title: string, next: string): string {
  switch (written) {
    case 'none':
      return `${JSON.stringify(snippet, null, 2)}\n\nPut this into ${file}, or let --write do it.\n${next}\n`;
    case 'already there':
      return `${title} has this entry already: nothing to do in ${file}.\n`;
    default:
      return `${written === 'created' ? 'Created' : 'Changed'} ${file}.\n${backup ? `The file as it was: ${backup}\n` : ''}${next}\n`;
  }
}
