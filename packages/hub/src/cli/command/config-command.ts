// `tidings config push FILE`, `tidings config show`, `tidings config remove`: the configuration of all nodes.
import type { Command } from 'commander';
import { print } from '../../terminal/print.ts';
import { printJson, printLine } from '../../terminal/print-line.ts';
import { dataOption } from '../option/data-option.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings config push servers.json --data postgres://db/tidings    check a file and store it
  tidings config show --data postgres://db/tidings                 print what is stored`;

const pushExamples = `
Examples:
  tidings config push servers.json --data postgres://db/tidings

Nodes on this database that were started without --config use it within a few seconds; one that cannot (a variable is
missing) says so and stays as it is. Start nodes with --trust where it starts commands, has \${NAME}, or opens the hub
to others with tokens, redactions, cors, hosts, proxies or realtime. Secrets are not stored: write \${NAME}, which each
node takes from its environment.`;

const showExamples = `
Examples:
  tidings config show --data postgres://db/tidings > servers.json`;

const removeExamples = `
Examples:
  tidings config remove --data postgres://db/tidings    nodes use their own file, or the built-in servers`;

interface Options {
  data: string;
  json?: boolean;
}

export function addConfigCommand(program: Command): void {
  const config = program
    .command('config')
    .summary('the configuration that all nodes on a database use')
    .description('Stores, shows and removes the configuration that all nodes on a database use.')
    .addHelpText('after', examples);
  config
    .command('push')
    .usage('FILE [options]')
    .summary('check a file and store it for all nodes')
    .description('Checks a configuration file and stores it in the database, for all nodes.')
    .argument('<file>', 'the configuration')
    .addOption(dataOption())
    .addOption(variableOption('--json', 'print the result as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', pushExamples)
    .action(async (file: string, { data, json }: Options) => {
      const { storeConfig } = await import('../../up/stored-config.ts');
      const stored = await storeConfig(file, data);
      if (json) return printJson(stored);
      printLine(`Stored: ${stored.servers.join(', ') || 'no server'}. Nodes use it within a few seconds.`);
      if (stored.variables.length > 0) printLine(`Every node needs these variables: ${stored.variables.join(', ')}.`);
    });
  config
    .command('show')
    .summary('print the stored configuration')
    .description('Prints the stored configuration.')
    .addOption(dataOption())
    .addOption(variableOption('--json', 'print it as the text of a JSON object', 'TIDINGS_JSON'))
    .addHelpText('after', showExamples)
    .action(async ({ data, json }: Options) => {
      const { storedConfig } = await import('../../up/stored-config.ts');
      const { visibleText } = await import('@tidings/live/portable');
      const text = await storedConfig(data);
      if (json) printJson({ text });
      // For a terminal control characters are made visible; a file gets what was stored.
      else await print(process.stdout.isTTY ? visibleText(text) : text);
    });
  config
    .command('remove')
    .summary('remove the stored configuration')
    .description('Removes the stored configuration: nodes use their own file, or the built-in servers.')
    .addOption(dataOption())
    .addOption(variableOption('--json', 'print the result as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', removeExamples)
    .action(async ({ data, json }: Options) => {
      const { removeConfig } = await import('../../up/stored-config.ts');
      await removeConfig(data);
      if (json) printJson({ removed: true });
      else printLine('Removed. Nodes use their own file, or the built-in servers.');
    });
}
