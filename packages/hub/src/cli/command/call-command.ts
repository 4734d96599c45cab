// `tidings call SERVER TOOL [JSON]`: calls a tool.
import type { Progress } from '@modelcontextprotocol/client';
import type { Command } from 'commander';
import { argumentOption, namedCall } from '../option/argument-options.ts';
import { addTargetOptions } from '../option/target-options.ts';
import { variableOption } from '../option/variable-option.ts';
import { Failure } from '../../terminal/failure.ts';
import { print } from '../../terminal/print.ts';
import { jsonText, printError } from '../../terminal/print-line.ts';
import { screenOf } from '../../terminal/screen.ts';

const examples = `
Examples:
  tidings call vcon search_vcons '{"subject": "refund", "limit": 5}'
  tidings call schedules pause_schedule --arg schedule_id=abc
  tidings call vcon create_vcon - < call.json         arguments from stdin
  tidings call echo --arg message=hi -- npx some-mcp-server
                                                      a tool of a server that is started for it`;

export function addCallCommand(program: Command, allArgs: readonly string[]): void {
  const command = program
    .command('call')
    .usage('SERVER TOOL [JSON | --arg name=value…] [options] [-- command args…]')
    .summary('call a tool')
    .description(
      'Calls a tool and writes its result to stdout. With --server or a command after --, SERVER is left out.',
    )
    .argument('[words...]', 'SERVER TOOL [JSON]; - reads the JSON from stdin')
    .addOption(argumentOption())
    .addOption(variableOption('--json', 'print the whole result as JSON', 'TIDINGS_JSON'));
  addTargetOptions(command);
  command.addHelpText('after', examples).action(async () => {
    const { target, ...call } = await namedCall(command, allArgs, 'tool');
    const { json } = command.opts<{ json?: boolean }>();
    const [
      { withSession },
      { callTool, isInternal },
      { shownResult },
      { StderrLines, wroteOnStderr },
      { serverEntryOf },
    ] = await Promise.all([
      import('../../look/with-session.ts'),
      import('../../look/call.ts'),
      import('../../look/shown-result.ts'),
      import('../../look/stderr-lines.ts'),
      import('../../look/target.ts'),
    ]);
    const log = new StderrLines();
    const result = await withSession(
      target,
      (session) => callTool(session, { ...call, ...progressOn(process.stderr) }),
      { log },
    );
    // The message of an INTERNAL error says only that the reason is in the log, which for a started server is its stderr.
    const reason = isInternal(result) ? wroteOnStderr(log.of(serverEntryOf(target).id)) : '';
    const failed = json ? 'The tool failed.' : shownResult(result, screenOf({}, {})).trimEnd() || 'The tool failed.';
    if (json) await print(`${jsonText(result, 2)}\n`);
    else if (!result.isError) await print(shownResult(result, screenOf(process.stdout, process.env)));
    if (result.isError) throw new Failure(`${failed}${reason}`);
  });
}

/** Progress is for a person who waits. */
function progressOn(stream: NodeJS.WriteStream) {
  if (!stream.isTTY) return {};
  return {
    onprogress: ({ progress, total, message = '' }: Progress) =>
      printError(`${total === undefined ? progress : `${progress}/${total}`} ${message}`.trimEnd()),
  };
}
