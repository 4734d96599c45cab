// `tidings watch [URI or pattern…]`: reports changes as they happen.
import type { Command } from 'commander';
import { print, onReaderGone } from '../../terminal/print.ts';
import { jsonText } from '../../terminal/print-line.ts';
import { screenOf } from '../../terminal/screen.ts';
import { Failure } from '../../terminal/failure.ts';
import { interruption } from '../../terminal/interruption.ts';
import { addTargetOptions, chosenTarget } from '../option/target-options.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings watch                                        everything the hub on this machine lists
  tidings watch counter://value 'schedules://**'       one resource, and all of schedules://
  tidings watch --json | jq .uri                       for programs: one JSON object per line
  tidings watch -- tidings serve files --folder .      a server that is started for it`;

export function addWatchCommand(program: Command, allArgs: readonly string[]): void {
  const command = program
    .command('watch')
    .usage("[URI or 'pattern'…] [options] [-- command args…]")
    .summary('watch resources change')
    .description('Reports changes of resources until Ctrl-C. Without a URI: of everything that is listed.')
    .argument('[uris...]', 'URIs or patterns: * stops at a slash, ** does not')
    .addOption(variableOption('--json', 'print one JSON object per line', 'TIDINGS_JSON'));
  addTargetOptions(command);
  command.addHelpText('after', examples).action(async () => {
    const { target, operands } = chosenTarget(command, allArgs);
    if (operands.includes(''))
      throw new Failure("An empty pattern matches nothing. To watch everything, write '**'.", 2);
    const { json } = command.opts<{ json?: boolean }>();
    const screen = screenOf(process.stdout, process.env);
    const [{ watch }, { Patterns }, { linesFor }, { systemClock }] = await Promise.all([
      import('../../watch/watch.ts'),
      import('../../watch/pattern.ts'),
      import('../../watch/report.ts'),
      import('@tidings/live'),
    ]);
    const readerGone = new AbortController();
    onReaderGone(() => readerGone.abort());
    await watch({
      target,
      patterns: new Patterns(operands),
      report: (event) => {
        void print(`${json ? jsonText(event) : linesFor(event, screen).join('\n')}\n`);
      },
      signal: AbortSignal.any([interruption(), readerGone.signal]),
      clock: systemClock,
    });
  });
}
