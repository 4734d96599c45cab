// Pings over a WebSocket: an answered one confirms everything that was sent before it, an unanswered one ends the
// connection.
import { type TimerSource, every } from '@tidings/live/time';
import type { WebSocket } from 'ws';

interface HeartbeatOptions {
  clock: TimerSource;
  /** The number of messages sent so far. */
  sent(this: void): number;
  /** Whether the socket is still the one in use, and open. */
  isCurrent(this: void): boolean;
  arrived(this: void, messages: number): void;
}

/** The part of a socket that is used here. */
type PingedSocket = Pick<WebSocket, 'on' | 'ping' | 'terminate'>;

/** A connection that leaves a ping unanswered for this long is lost. */
const heartbeatMs = 15_000;

export function startHeartbeat(socket: PingedSocket | undefined, options: HeartbeatOptions): void {
  const { clock, sent, isCurrent, arrived } = options;
  let pinged: number | undefined;
  socket?.on('pong', () => {
    if (pinged !== undefined && isCurrent()) arrived(pinged);
    pinged = undefined;
  });
  const timer = every(clock, heartbeatMs, () => {
    const isSilent = pinged !== undefined;
    if (!isCurrent() || isSilent) timer.cancel();
    if (!isCurrent()) return;
    if (isSilent) return socket?.terminate();
    pinged = sent();
    socket?.ping();
  });
}
