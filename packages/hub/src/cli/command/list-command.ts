// `tidings list`: the resources, templates, tools or prompts of a server, or the servers of a hub, as a table.
import type { Command } from 'commander';
import { print } from '../../terminal/print.ts';
import { printError, jsonText } from '../../terminal/print-line.ts';
import { screenOf } from '../../terminal/screen.ts';
import { Failure } from '../../terminal/failure.ts';
import type { ServerTarget } from '../../look/target.ts';
import { addTargetOptions, chosenTarget } from '../option/target-options.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings list                                        the resources of the hub on this machine
  tidings list --servers                              its servers, and how they are
  tidings list --tools --hub http://192.0.2.7:7411    the tools of another hub
  tidings list --server http://127.0.0.1:3000/mcp     the resources of one server
  tidings list --json -- npx some-mcp-server          of a server that is started for it`;

interface Options {
  servers?: boolean;
  templates?: boolean;
  tools?: boolean;
  prompts?: boolean;
  json?: boolean;
}

/** The member of the JSON document that holds the items, as in the protocol's answer. */
const members = { resources: 'resources', templates: 'resourceTemplates', tools: 'tools', prompts: 'prompts' } as const;

const nothing = {
  resources: 'No resources are listed. --templates shows the templates of the server.',
  templates: 'There are no templates.',
  tools: 'There are no tools.',
  prompts: 'There are no prompts.',
} as const;

export function addListCommand(program: Command, allArgs: readonly string[]): void {
  const command = program
    .command('list')
    .usage('[options] [-- command args…]')
    .summary('list the resources of a server')
    .description('Lists the resources of a server, or its templates, tools or prompts; or the servers of a hub.')
    .argument('[command...]', 'after --, a server to start')
    .addOption(
      variableOption('--servers', 'list the servers of the hub with their state', 'TIDINGS_SERVERS').conflicts([
        'templates',
        'tools',
        'prompts',
      ]),
    )
    .addOption(
      variableOption('--templates', 'list the URI templates', 'TIDINGS_TEMPLATES').conflicts(['tools', 'prompts']),
    )
    .addOption(variableOption('--tools', 'list the tools', 'TIDINGS_TOOLS').conflicts('prompts'))
    .addOption(variableOption('--prompts', 'list the prompts', 'TIDINGS_PROMPTS'))
    .addOption(variableOption('--json', 'print the items in full as JSON', 'TIDINGS_JSON'));
  addTargetOptions(command);
  command.addHelpText('after', examples).action(async () => {
    const { target, operands } = chosenTarget(command, allArgs);
    if (operands.length > 0) {
      throw new Failure(`"list" takes no "${operands[0]}". A command that starts a server comes after --.`, 2);
    }
    const { servers, templates, tools, prompts, json } = command.opts<Options>();
    if (servers) return printServers(target, json);
    const kind = tools ? 'tools' : prompts ? 'prompts' : templates ? 'templates' : 'resources';
    const [{ withSession }, { listTable }, { formatTable: table }] = await Promise.all([
      import('../../look/with-session.ts'),
      import('../../look/list.ts'),
      import('../../terminal/format-table.ts'),
    ]);
    const { items, missing, headings, rows } = await withSession(target, (session) => listTable(session, kind));
    if (json) await print(`${jsonText({ [members[kind]]: items, ...(missing !== '' && { missing }) }, 2)}\n`);
    else if (rows.length === 0) await print(`${nothing[kind]}\n`);
    else await print(`${table(headings, rows, screenOf(process.stdout, process.env))}\n`);
    if (missing !== '') printError(`The list is not complete: ${missing}`);
    return undefined;
  });
}

async function printServers(target: ServerTarget, json = false): Promise<void> {
  if (target.kind !== 'hub') throw new Failure('--servers lists those of a hub: name it with --hub.', 2);
  const [{ serversAnswer }, { HubApiClient }, { serverTable }] = await Promise.all([
    import('@tidings/client/contract'),
    import('../../http/hub-api-client.ts'),
    import('../../look/server-table.ts'),
  ]);
  const { servers } = await new HubApiClient(target.url, target.token).ask('/api/servers', serversAnswer);
  if (json) await print(`${jsonText({ servers }, 2)}\n`);
  else if (servers.length === 0) await print('The hub has no servers.\n');
  else await print(`${serverTable(servers, screenOf(process.stdout, process.env))}\n`);
}
