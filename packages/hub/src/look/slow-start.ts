// On a terminal, says that a server is waited for: one that stays silent fails only after half a minute.
import type { Clock } from '@tidings/live/time';
import { printError } from '../terminal/print-line.ts';
import { wroteOnStderr } from './stderr-lines.ts';
import { type ServerTarget, targetName } from './target.ts';

const longMs = 3000;

interface SlowStartOptions {
  target: ServerTarget;
  clock: Clock;
  /** What a started server has written on stderr. */
  stderr(this: void): readonly string[];
  /** Where people read messages. Default: stderr. */
  stream?: { isTTY?: boolean };
  print?(this: void, text: string): void;
}

/** Call the returned function when the server has answered or failed. */
export function reportSlowStart(options: SlowStartOptions): () => void {
  const { target, clock, stderr, stream = process.stderr, print = printError } = options;
  if (!stream.isTTY) return () => undefined;
  const name = target.kind === 'command' ? `"${targetName(target)}"` : targetName(target);
  const timer = clock.after(longMs, () => {
    print(`Waiting for ${name} to answer (30 s at most) …${wroteOnStderr(stderr())}`);
  });
  return () => timer.cancel();
}
