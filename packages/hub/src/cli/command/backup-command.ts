// `tidings backup FILE` and `tidings restore FILE`: the data folder as one archive.
import type { Command } from 'commander';
import { printJson, printLine } from '../../terminal/print-line.ts';
import { stopOnSignal } from '../../terminal/stop-on-signal.ts';
import { dataOption } from '../option/data-option.ts';
import { variableOption } from '../option/variable-option.ts';

const backupExamples = `
Examples:
  tidings backup tidings.tar.gz                  the user's data folder, also while a hub uses it
  tidings backup tidings.tar.gz --data ./state   another one`;

const restoreExamples = `
Examples:
  tidings restore tidings.tar.gz                 into an empty data folder
  tidings restore tidings.tar.gz --force         in place of what is there, which is kept beside it`;

interface Options {
  data: string;
  json?: boolean;
  force?: boolean;
}

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .usage('FILE [options]')
    .summary('back up the data folder')
    .description('Writes the data folder to one archive, also while a hub or a server uses it.')
    .argument('<file>', 'the archive (tar, gzip), which is replaced in one step at the end')
    .addOption(dataOption())
    .addOption(variableOption('--json', 'print the result as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', backupExamples)
    .action(async (file: string, { data, json }: Options) => {
      const { backup } = await import('../../transfer/backup.ts');
      const names = await backup({ data, file, signal: stopOnSignal() });
      if (json) printJson({ file, data, names });
      else printLine(`Backed up ${names.join(', ')} of ${data} to ${file}.`);
    });
  program
    .command('restore')
    .usage('FILE [options]')
    .summary('restore a data folder')
    .description(
      'Restores a data folder from an archive of "tidings backup". Stop every program that uses the folder first.',
    )
    .argument('<file>', 'the archive')
    .addOption(dataOption())
    .addOption(variableOption('--force', 'replace a folder that has data', 'TIDINGS_FORCE'))
    .addOption(variableOption('--json', 'print the result as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', restoreExamples)
    .action(async (file: string, { data, json, force }: Options) => {
      const { restore } = await import('../../transfer/backup.ts');
      const kept = await restore({ data, file, signal: stopOnSignal(), ...(force && { force }) });
      if (json) printJson({ file, data, kept: kept ?? null });
      else printLine(`Restored ${data} from ${file}.${kept === undefined ? '' : ` What was there is in ${kept}.`}`);
    });
}
