// Whoever does not let go in time is not waited for.
import { complain } from './say.ts';

export function exitWithin(ms: number, whom = 'a client that does not read'): void {
  const timer = setTimeout(() => {
    complain(`Ended without waiting any longer for ${whom}.`);
    process.exit();
  }, ms);
  timer.unref();
}
