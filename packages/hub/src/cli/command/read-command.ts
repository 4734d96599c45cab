// `tidings read URI`: writes the content of a resource.
import type { Command } from 'commander';
import { print } from '../../terminal/print.ts';
import { jsonText } from '../../terminal/print-line.ts';
import { screenOf } from '../../terminal/screen.ts';
import { Failure } from '../../terminal/failure.ts';
import { addTargetOptions, chosenTarget } from '../option/target-options.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings read counter://value                   from the hub on this machine
  tidings read files:///photo.png > photo.png    binary content, unchanged
  tidings read clock://now -- tidings serve clock
                                                 from a server that is started for it`;

export function addReadCommand(program: Command, allArgs: readonly string[]): void {
  const command = program
    .command('read')
    .usage('URI [options] [-- command args…]')
    .summary('read a resource')
    .description('Writes the content of a resource to stdout.')
    .argument('<uri>', 'as "tidings list" shows it')
    .argument('[command...]', 'after --, a server to start')
    .addOption(variableOption('--json', 'print the whole answer as JSON', 'TIDINGS_JSON'));
  addTargetOptions(command);
  command.addHelpText('after', examples).action(async () => {
    const { target, operands } = chosenTarget(command, allArgs);
    const [uri, ...others] = operands;
    if (uri === undefined || others.length > 0) throw new Failure('Name one URI to read, before any --.', 2);
    const { json } = command.opts<{ json?: boolean }>();
    const [{ withSession }, { readResource, toStdout }] = await Promise.all([
      import('../../look/with-session.ts'),
      import('../../look/read.ts'),
    ]);
    const result = await withSession(target, (session) => readResource(session, uri));
    if (json) await print(`${jsonText(result, 2)}\n`);
    else for (const part of toStdout(result, screenOf(process.stdout, process.env))) await print(part);
  });
}
