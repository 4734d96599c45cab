// `tidings list`: what a server has, as a table.
import type { Client } from '@modelcontextprotocol/client';
import type { Command } from 'commander';
import { listResources, listTemplates, listTools } from '../../look/lists.ts';
import { onReaderGone, print } from '../../terminal/print.ts';
import { jsonText } from '../../terminal/say.ts';
import { screenOf } from '../../terminal/screen.ts';
import { table } from '../../terminal/table.ts';
import { byteCount } from '../../terminal/byte-count.ts';
import { Failure } from '../../terminal/failure.ts';
import { addTargetOptions, targetOf } from '../option/target-options.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings list                                        the resources of the hub on this machine
  tidings list --tools --hub http://192.0.2.7:7411    the tools of another hub
  tidings list --server http://127.0.0.1:3000/mcp     the resources of one server
  tidings list --json -- npx some-mcp-server          of a server that is started for it`;

interface Options {
  templates?: boolean;
  tools?: boolean;
  json?: boolean;
}

/** What is listed: as it came, and as a table. */
interface Listing {
  what: 'resources' | 'resourceTemplates' | 'tools';
  items: readonly unknown[];
  headings: string[];
  rows: string[][];
}

const nothing: Record<Listing['what'], string> = {
  resources: 'No resources are listed. There may be some behind --templates.',
  resourceTemplates: 'There are no templates.',
  tools: 'There are no tools.',
};

export function addListCommand(program: Command, allArgs: readonly string[]): void {
  const command = program
    .command('list')
    .usage('[options] [-- command args…]')
    .summary('list what a server has')
    .description('Lists the resources of a server, or its templates or tools.')
    .argument('[command...]', 'after --, a server to start')
    .addOption(variableOption('--templates', 'list the URI templates', 'TIDINGS_TEMPLATES').conflicts('tools'))
    .addOption(variableOption('--tools', 'list the tools', 'TIDINGS_TOOLS'))
    .addOption(variableOption('--json', 'print everything known of them as JSON', 'TIDINGS_JSON'));
  addTargetOptions(command);
  command.addHelpText('after', examples).action(async () => {
    const { target, operands } = targetOf(command, allArgs);
    if (operands.length > 0) {
      throw new Failure(`"list" takes no "${operands[0]}". A command that starts a server comes after --.`, 2);
    }
    const options = command.opts<Options>();
    onReaderGone(() => undefined);
    const { look } = await import('../../look/look.ts');
    await print(`${shown(await look(target, (client) => listing(client, options)), options)}\n`);
  });
}

async function listing(client: Client, { templates, tools }: Options): Promise<Listing> {
  if (tools) {
    const items = await listTools(client);
    const rows = items.map(({ name, title, description }) => [name, title ?? '', description ?? '']);
    return { what: 'tools', items, headings: ['TOOL', 'TITLE', 'DESCRIPTION'], rows };
  }
  if (templates) {
    const items = await listTemplates(client);
    const rows = items.map((each) => [
      each.uriTemplate,
      each.title ?? each.name,
      each.mimeType ?? '',
      each.description ?? '',
    ]);
    return { what: 'resourceTemplates', items, headings: ['TEMPLATE', 'NAME', 'TYPE', 'DESCRIPTION'], rows };
  }
  const items = await listResources(client);
  const rows = items.map((each) => [
    each.uri,
    each.title ?? each.name,
    each.mimeType ?? '',
    each.size === undefined ? '' : byteCount(each.size),
    each.description ?? '',
  ]);
  return { what: 'resources', items, headings: ['URI', 'NAME', 'TYPE', 'SIZE', 'DESCRIPTION'], rows };
}

function shown({ what, items, headings, rows }: Listing, { json }: Options): string {
  if (json) return jsonText({ [what]: items }, 2);
  if (rows.length > 0) return table(headings, rows, screenOf(process.stdout, process.env));
  return nothing[what];
}
