// `tidings import FILE…`: vCons from files, folders, JSONL or stdin.
import { type Command, InvalidArgumentError } from 'commander';
import { statSync } from 'node:fs';
import { dataOption } from '../option/data-option.ts';
import type { ImportSettings } from '../../transfer/import.ts';
import { variableOption } from '../option/variable-option.ts';

const notes = `
A folder is read with all below it: *.json and *.vcon (a vCon, several, or a list of them) and *.jsonl and
*.ndjson (one vCon on each line). "-" reads such lines from stdin. Importing again changes nothing; an import
of lines that was interrupted goes on where it was.

Examples:
  tidings import calls.jsonl
  tidings import archive/ --strict
  zcat calls.jsonl.gz | tidings import -`;

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .summary('import vCons from files, folders or JSONL')
    .description('Imports vCons. Valid ones are kept, invalid ones are reported.')
    .argument('<file...>', 'files, folders, or - for stdin', existing)
    .addOption(dataOption())
    .addOption(variableOption('--strict', 'refuse vCons that deviate from the standard', 'TIDINGS_STRICT'))
    .addOption(variableOption('--replace', 'replace vCons that exist with other content', 'TIDINGS_REPLACE'))
    .addOption(variableOption('--json', 'print the result as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', notes);
  command.action(async (files: string[]) => {
    // Imported here, so that help and usage errors do not wait for it to load.
    const { importFiles } = await import('../../transfer/import.ts');
    await importFiles(files, command.opts<ImportSettings>());
  });
}

function existing(path: string, others: string[] = []): string[] {
  if (path !== '-' && statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new InvalidArgumentError('There is no such file or folder.');
  }
  return [...others, path];
}
