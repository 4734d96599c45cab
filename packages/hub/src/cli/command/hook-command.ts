// `tidings hook HOST`: what a host's hook prints.
import { foregroundClock } from '@tidings/live/time';
import { Argument, type Command } from 'commander';
import { type HookHost, hookHosts } from '../../hook/hook-host.ts';
import { Failure } from '../../terminal/failure.ts';
import { printError } from '../../terminal/print-line.ts';
import { print } from '../../terminal/print.ts';
import { hubOption } from '../option/target-options.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings hook cursor                     in its settings, as "tidings init cursor --hooks" has it
  tidings hook codex --uri 'vcon://**'    also what was not read
  echo '{"session_id":"1","hook_event_name":"PostToolUse"}' | tidings hook codex --explain

The hub gets the token in TIDINGS_TOKEN.`;

interface Options {
  hub: URL;
  server?: string;
  uri?: string;
  explain?: boolean;
}

export function addHookCommand(program: Command): void {
  program
    .command('hook')
    .usage('HOST [options]')
    .summary("tell a host's model what changed, from its hooks")
    .description(
      "Reads the input of a host's hook on stdin and prints what the host takes: which resources changed since they were read. Prints nothing, and succeeds, if there is nothing to say or no hub answers within two seconds.",
    )
    .addArgument(new Argument('<host>', 'the host').choices(hookHosts))
    .addOption(hubOption('the hub that has the changes'))
    .addOption(variableOption('--server <id>', 'only this server, read or not', 'TIDINGS_HOOK_SERVER'))
    .addOption(variableOption('--uri <pattern>', 'only these resources, read or not', 'TIDINGS_HOOK_URI'))
    .addOption(variableOption('--explain', 'say on stderr why nothing is printed', 'TIDINGS_EXPLAIN'))
    .addHelpText('after', examples)
    .action(async (host: HookHost, { hub, server, uri, explain }: Options) => {
      const { stdin } = process;
      if (stdin.isTTY) {
        throw new Failure("This command is for a host's hooks: it takes the hook's input, as JSON, on stdin.", 2);
      }
      const { hook } = await import('../../connect/hook.ts');
      const token = process.env['TIDINGS_TOKEN'] || undefined;
      const outcome = await hook({ host, hub, token, server, uri, input: stdin, clock: foregroundClock });
      // A host may keep stdin open, which would keep this process alive.
      stdin.destroy();
      if ('output' in outcome) await print(`${outcome.output}\n`);
      else if (explain) printError(outcome.reason);
    });
}
