// Runs the command line and resolves with the exit code: 0 success, 1 failure, 2 wrong usage.
import { CommanderError } from 'commander';
import { endOnOutputError } from '../terminal/print.ts';
import { printError } from '../terminal/print-line.ts';
import { Failure } from '../terminal/failure.ts';
import { forgetPlaceholders } from './forget-placeholders.ts';
import { createProgram } from './program.ts';

export async function run(args: readonly string[]): Promise<0 | 1 | 2> {
  endOnOutputError();
  forgetPlaceholders(process.env);
  const program = createProgram(args);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the message already; help and --version end this way too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage(args);
    printError(`error: ${describe(error)}`);
    return error instanceof Failure ? error.exitCode : 1;
  }
}

/** Hosts treat exit code 2 of a hook as a refusal of the user's action. */
function wrongUsage([command]: readonly string[]): 1 | 2 {
  return command === 'hook' && !process.stdin.isTTY ? 1 : 2;
}

/** A system error has a code, and its message suffices; any other error is a bug, and its stack helps to find it. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof Failure || 'code' in error ? error.message : (error.stack ?? error.message);
}
