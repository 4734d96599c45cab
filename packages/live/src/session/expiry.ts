// Ends a stream or session when its credential expires.
import { type Clock, type Timer, longestDelayMs } from '../time/clock.ts';
import type { Caller } from '../resource/caller.ts';

export function atExpiry(clock: Clock, { auth }: Caller, end: () => void): Timer | undefined {
  return auth?.expiresAt === undefined ? undefined : at(clock, auth.expiresAt, end);
}

function at(clock: Clock, moment: number, task: () => void): Timer {
  // A credential may be valid for longer than the longest delay of a timer, so this waits in steps.
  const wait = (): Timer => clock.after(Math.min(Math.max(0, moment - clock.date()), longestDelayMs), check);
  const check = () => {
    if (clock.date() >= moment) task();
    else timer = wait();
  };
  let timer = wait();
  return { cancel: () => timer.cancel() };
}
