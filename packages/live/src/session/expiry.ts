// Ends something when the credential it rests on expires.
import type { Clock, Timer } from '../clock.ts';
import type { Caller } from '../resource/caller.ts';

/** The longest delay a Node timer keeps; a longer life is waited for in steps. */
const maxDelayMs = 2 ** 31 - 1;

export function atExpiry(clock: Clock, { auth }: Caller, end: () => void): Timer | undefined {
  return auth?.expiresAt === undefined ? undefined : at(clock, auth.expiresAt, end);
}

function at(clock: Clock, moment: number, task: () => void): Timer {
  const wait = (): Timer => clock.after(Math.min(Math.max(0, moment - clock.date()), maxDelayMs), check);
  const check = () => {
    if (clock.date() >= moment) task();
    else timer = wait();
  };
  let timer = wait();
  return { cancel: () => timer.cancel() };
}
