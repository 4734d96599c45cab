// `tidings export`: all vCons as JSONL.
import type { Command } from 'commander';
import { dataOption } from '../option/data-option.ts';
import type { ExportSettings } from '../../transfer/export.ts';
import { variableOption } from '../option/variable-option.ts';

const notes = `
Examples:
  tidings export > calls.jsonl
  tidings export --out calls.jsonl --redact contact-details`;

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .summary('export all vCons as JSONL')
    .description('Exports all vCons as JSONL, one on each line, the newest first.')
    .addOption(dataOption())
    .addOption(
      variableOption(
        '--out <file>',
        'the file, which is replaced in one step at the end (default: stdout)',
        'TIDINGS_OUT',
      ),
    )
    .addOption(variableOption('--redact <name>', 'the redaction to apply', 'TIDINGS_REDACT'))
    .addOption(variableOption('--json', 'print the result as JSON (without --out: on stderr)', 'TIDINGS_JSON'))
    .addHelpText('after', notes);
  command.action(async () => {
    const { exportAll } = await import('../../transfer/export.ts');
    await exportAll(command.opts<ExportSettings>());
  });
}
