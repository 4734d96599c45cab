// Notices that a server can be reached again, by the cheapest check: whether its port accepts a connection. Only a port
// that was closed before is a sign; one that was always open belongs to a server that answers with errors, for which
// the backoff applies.
import { connect } from 'node:net';
import type { Clock, Timer } from '@tidings/live';
import { backoffMs } from '@tidings/live/time';

/** Pauses between checks: half a second at first, five seconds later. */
const pauses = { firstMs: 500, longestMs: 5000, growth: 1.1 };
const answerMs = 2000;

/** Resolves when the port, closed at first, opens; never otherwise. */
export function untilPortOpens({ hostname, port, protocol }: URL, clock: Clock, signal: AbortSignal): Promise<void> {
  const address = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  };
  let timer: Timer | undefined;
  signal.addEventListener('abort', () => timer?.cancel(), { once: true });
  return new Promise((resolve) => {
    const ask = async (wasClosed: boolean, attempts: number) => {
      const isOpen = await takesConnection(address);
      if (signal.aborted || (isOpen && !wasClosed)) return;
      if (isOpen) return resolve();
      timer = clock.after(backoffMs(attempts, pauses), () => void ask(true, attempts + 1));
    };
    void ask(false, 1);
  });
}

function takesConnection(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: answerMs });
    const settle = (isOpen: boolean) => {
      resolve(isOpen);
      socket.destroy();
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
