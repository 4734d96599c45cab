// Runs the command line and resolves with the exit code: 0 success, 1 failure, 2 wrong usage.
import { visibleText } from '@tidings/live/visible-text';
import { version } from '@tidings/live/version';
import { Command, CommanderError } from 'commander';
import { addAuditCommand } from './command/audit-command.ts';
import { addDoctorCommand } from './command/doctor-command.ts';
import { addExportCommand } from './command/export-command.ts';
import { printError } from '../terminal/print-line.ts';
import { Failure } from '../terminal/failure.ts';
import { addImportCommand } from './command/import-command.ts';
import { addInitCommand } from './command/init-command.ts';
import { addListCommand } from './command/list-command.ts';
import { addReadCommand } from './command/read-command.ts';
import { addServeCommand } from './command/serve-command.ts';
import { addTrustCommand } from './command/trust-command.ts';
import { addUpCommand } from './command/up-command.ts';
import { addWatchCommand } from './command/watch-command.ts';

export async function run(args: readonly string[]): Promise<0 | 1 | 2> {
  const program = new Command('tidings')
    .description('MCP resources that announce their own changes.')
    .version(version)
    .showHelpAfterError('(add --help for what is possible)')
    // Its messages quote arguments, which a shell may have expanded to file names.
    .configureOutput({ writeErr: (text) => process.stderr.write(visibleText(text)) })
    .exitOverride();
  addUpCommand(program);
  addServeCommand(program);
  addImportCommand(program);
  addExportCommand(program);
  addListCommand(program, args);
  addReadCommand(program, args);
  addWatchCommand(program, args);
  addTrustCommand(program);
  addInitCommand(program);
  addDoctorCommand(program);
  addAuditCommand(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the message already; help and --version end this way too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printError(`error: ${describe(error)}`);
    return error instanceof Failure ? error.exitCode : 1;
  }
}

/** A system error has a code, and its message suffices; any other error is a bug, and its stack helps to find it. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof Failure || 'code' in error ? error.message : (error.stack ?? error.message);
}
