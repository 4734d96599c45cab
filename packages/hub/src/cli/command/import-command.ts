// `tidings import FILE…`: vCons from files, folders, JSONL, stdin or another server.
import { type Command, InvalidArgumentError } from 'commander';
import { statSync } from 'node:fs';
import { dataOption } from '../option/data-option.ts';
import type { ImportSettings } from '../../transfer/import.ts';
import { variableOption } from '../option/variable-option.ts';

const notes = `
A folder is read with all below it: *.json and *.vcon (a vCon, several, or a list of them) and
*.jsonl and *.ndjson (one vCon on each line). "-" reads such lines from stdin. Importing again
changes nothing; an import of lines, or from another server, that was interrupted goes on where
it was.

--from-supabase reads the tables of vcon-mcp over PostgreSQL; PGPASSWORD holds the password.
--from-mcp reads the vCons of any vCon MCP server, page by page; TIDINGS_IMPORT_TOKEN holds the
bearer token, if the server requires one.

Examples:
  tidings import calls.jsonl
  tidings import archive/ --strict
  tidings import --from-supabase postgres://postgres@db.example.com:5432/postgres
  tidings import --from-mcp http://127.0.0.1:3000/mcp
  zcat calls.jsonl.gz | tidings import -`;

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .usage('[FILE…] [options]')
    .summary('import vCons: files, folders, JSONL, another server')
    .description('Imports vCons. Valid ones are kept, invalid ones are reported.')
    .argument('[file...]', 'files, folders, or - for stdin', existing)
    .addOption(dataOption())
    .addOption(variableOption('--from-supabase <url>', 'import from the database of vcon-mcp', 'TIDINGS_FROM_SUPABASE'))
    .addOption(variableOption('--from-mcp <url>', 'import from another vCon MCP server', 'TIDINGS_FROM_MCP'))
    .addOption(variableOption('--strict', 'refuse vCons that deviate from the standard', 'TIDINGS_STRICT'))
    .addOption(variableOption('--replace', 'replace vCons that exist with other content', 'TIDINGS_REPLACE'))
    .addOption(variableOption('--json', 'print the result as JSON', 'TIDINGS_JSON'))
    .addHelpText('after', notes);
  command.action(async (files: string[] = []) => {
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
