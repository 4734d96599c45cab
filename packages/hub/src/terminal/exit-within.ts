// Exits after `ms`, even if connections remain.
import { systemClock } from '@tidings/live/time';
import { complain } from './say.ts';

export function exitWithin(ms: number, whom = 'a client that does not read'): void {
  systemClock.after(ms, () => {
    complain(`Ended without waiting any longer for ${whom}.`);
    process.exit();
  });
}
