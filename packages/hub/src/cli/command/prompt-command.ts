// `tidings prompt SERVER PROMPT [JSON]`: a prompt of a server, filled in.
import type { Command } from 'commander';
import { argumentOption, namedCall } from '../option/argument-options.ts';
import { addTargetOptions } from '../option/target-options.ts';
import { variableOption } from '../option/variable-option.ts';
import { print } from '../../terminal/print.ts';
import { jsonText } from '../../terminal/print-line.ts';
import { screenOf } from '../../terminal/screen.ts';

const examples = `
Examples:
  tidings prompt vcon find_by_keywords --arg keywords=refund
  tidings prompt greet '{"name": "Ada"}' --server http://127.0.0.1:3000/mcp`;

export function addPromptCommand(program: Command, allArgs: readonly string[]): void {
  const command = program
    .command('prompt')
    .usage('SERVER PROMPT [JSON | --arg name=value…] [options] [-- command args…]')
    .summary('get a prompt')
    .description('Writes the messages of a prompt to stdout. With --server or a command after --, SERVER is left out.')
    .argument('[words...]', 'SERVER PROMPT [JSON]; - reads the JSON from stdin')
    .addOption(argumentOption())
    .addOption(variableOption('--json', 'print the whole result as JSON', 'TIDINGS_JSON'));
  addTargetOptions(command);
  command.addHelpText('after', examples).action(async () => {
    const { target, ...call } = await namedCall(command, allArgs, 'prompt');
    const { json } = command.opts<{ json?: boolean }>();
    const [{ withSession }, { getPrompt }, { shownPrompt }] = await Promise.all([
      import('../../look/with-session.ts'),
      import('../../look/call.ts'),
      import('../../look/shown-result.ts'),
    ]);
    const result = await withSession(target, (session) => getPrompt(session, call));
    await print(json ? `${jsonText(result, 2)}\n` : shownPrompt(result, screenOf(process.stdout, process.env)));
  });
}
