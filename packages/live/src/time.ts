// Clocks, and what is built on them: timeouts, pauses, backoff, repeated runs. A subpath of its own because it needs
// neither Node nor the SDK, so that pages can use it too.
export type { Clock, Timer } from './time/clock.ts';
export { eventLoopTurn, foregroundClock, keepProcessAlive, longestDelayMs, systemClock } from './time/clock.ts';
export type { BackoffOptions } from './time/backoff.ts';
export { Backoff, backoffMs } from './time/backoff.ts';
export { delay } from './time/delay.ts';
export { every } from './time/every.ts';
export { forEachLimited } from './time/for-each-limited.ts';
export { Later } from './time/later.ts';
export { oncePerTick } from './time/once-per-tick.ts';
export { onAbort, unlessAborted } from './time/on-abort.ts';
export { oneByOne } from './time/one-by-one.ts';
export { Rerun } from './time/rerun.ts';
export { Serial } from './time/serial.ts';
export type { TimeLimit, TimerSource } from './time/timeout.ts';
export { endsWhile, endsWithin, timeLimit, withTimeout } from './time/timeout.ts';
export { TimeSlice } from './time/time-slice.ts';
export type { BucketLimits } from './time/token-bucket.ts';
export { TokenBucket } from './time/token-bucket.ts';
export { Turns } from './time/turns.ts';
export type { WaitBounds } from './time/wake-up.ts';
export { WakeUp } from './time/wake-up.ts';
