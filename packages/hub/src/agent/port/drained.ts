// Backpressure of a WebSocket: a message waits for the socket to take most of what was sent before.
import { type TimerSource, delay } from '@tidings/live/time';

/** How much may be buffered in memory until the socket accepts it. */
const mostBuffered = 64 * 1024;
const lookMs = 20;

/** Resolves when little is buffered, or the socket is no longer open: then `buffered` is undefined. */
export async function drained(clock: TimerSource, buffered: () => number | undefined): Promise<void> {
  while ((buffered() ?? 0) > mostBuffered) await delay(clock, lookMs);
}
