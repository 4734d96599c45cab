// `tidings connect`: a running hub on stdin and stdout.
import type { Command } from 'commander';
import { systemClock } from '@tidings/live/time';
import { Failure } from '../../terminal/failure.ts';
import { addTargetOptions, chosenTarget } from '../option/target-options.ts';

const examples = `
Examples:
  tidings connect                                   the hub on this machine
  tidings connect --hub https://tidings.example.com another hub, with the token in TIDINGS_TOKEN
  tidings connect --hub http://127.0.0.1:7411/mcp/vcon
                                                    one server of a hub, under its own names`;

export function addConnectCommand(program: Command, allArgs: readonly string[]): void {
  const command = program
    .command('connect')
    .usage('[options] [-- command args…]')
    .argument('[command...]', 'after --, a server to start')
    .summary('offer a running hub on stdin and stdout')
    .description('Offers a running hub on stdin and stdout, for MCP hosts that only start commands.');
  addTargetOptions(command);
  command.addHelpText('after', examples).action(async () => {
    const { target, operands } = chosenTarget(command, allArgs);
    if (operands.length > 0) throw new Failure(`"connect" takes no "${operands[0]}". Name a hub with --hub.`, 2);
    const { connect } = await import('../../connect/connect.ts');
    await connect({ target, clock: systemClock });
  });
}
