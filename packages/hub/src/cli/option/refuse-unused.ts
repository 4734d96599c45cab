// A flag that changes nothing is a mistake of the user, and is refused. A variable may be meant for other commands.
import type { Command } from 'commander';
import { Failure } from '../../terminal/failure.ts';

/** `options` as commander names them; `reason` completes "--port changes nothing here: …". */
export function refuseUnused(command: Command, options: readonly string[], reason: string): void {
  const typed = options.find((option) => command.getOptionValueSource(option) === 'cli');
  if (typed === undefined) return;
  const flag = command.options.find((option) => option.attributeName() === typed)?.long ?? `--${typed}`;
  throw new Failure(`${flag} changes nothing here: ${reason}`, 2);
}
