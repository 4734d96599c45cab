// Exits after `ms`, even if connections remain.
import { systemClock } from '@tidings/live/time';
import { printError } from './print-line.ts';

export function exitWithin(ms: number, cause = 'a client that does not read'): void {
  systemClock.after(ms, () => {
    printError(`Exited without waiting longer for ${cause}.`);
    process.exit();
  });
}
