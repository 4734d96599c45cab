// The commands of `tidings`, with their arguments and help.
import { visibleText } from '@tidings/live/portable';
import { version } from '@tidings/live/version';
import { Command } from 'commander';
import { addAuditCommand } from './command/audit-command.ts';
import { addBackupCommands } from './command/backup-command.ts';
import { addCallCommand } from './command/call-command.ts';
import { addCompletionCommands } from './command/completion-command.ts';
import { addConfigCommand } from './command/config-command.ts';
import { addConnectCommand } from './command/connect-command.ts';
import { addDoctorCommand } from './command/doctor-command.ts';
import { addExportCommand } from './command/export-command.ts';
import { addHelpCommand } from './command/help-command.ts';
import { addHistoryCommand } from './command/history-command.ts';
import { addHookCommand } from './command/hook-command.ts';
import { addImportCommand } from './command/import-command.ts';
import { addInitCommand } from './command/init-command.ts';
import { addListCommand } from './command/list-command.ts';
import { addLoginCommands } from './command/login-command.ts';
import { addPromptCommand } from './command/prompt-command.ts';
import { addReadCommand } from './command/read-command.ts';
import { addServeCommand } from './command/serve-command.ts';
import { addTrustCommand } from './command/trust-command.ts';
import { addUpCommand } from './command/up-command.ts';
import { addWatchCommand } from './command/watch-command.ts';

const start = `
Start here: tidings up --demo --open   (the hub, with sample data that keeps changing)`;

/** `args` are those of the command line: some commands look for a `--` among them. */
export function createProgram(args: readonly string[]): Command {
  const program = new Command('tidings')
    .description('MCP resources that announce their own changes.')
    .version(version)
    .showHelpAfterError('(add --help for what is possible)')
    // Only names in the list: the usage of a command is in its own help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', start)
    // Commander's messages quote arguments, which a shell may have expanded to file names.
    .configureOutput({ writeErr: (text) => process.stderr.write(visibleText(text)) })
    .exitOverride();
  program.commandsGroup('Run:');
  addUpCommand(program);
  addServeCommand(program);
  addConnectCommand(program, args);
  addHookCommand(program);
  addInitCommand(program);
  program.commandsGroup('Look at servers, or at a running hub:');
  addListCommand(program, args);
  addReadCommand(program, args);
  addWatchCommand(program, args);
  addHistoryCommand(program);
  addCallCommand(program, args);
  addPromptCommand(program, args);
  program.commandsGroup('Data:');
  addImportCommand(program);
  addExportCommand(program);
  addBackupCommands(program);
  program.commandsGroup('Operate:');
  addDoctorCommand(program);
  addTrustCommand(program);
  addLoginCommands(program);
  addConfigCommand(program);
  addAuditCommand(program);
  addCompletionCommands(program);
  addHelpCommand(program);
  return program;
}
