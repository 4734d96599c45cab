// Passes a server's log messages on to the caller whose request they are about. A server that logs without end, to a
// caller that reads slowly, must not fill the memory: beyond a budget, messages are left out, and the caller is told.
import type { LoggingLevel } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import type { LogMessage } from '@tidings/track';

const severity: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Characters of JSON that one call may send at once, and what is added each second. */
const budget = 1_000_000;
const budgetPerSecond = 20_000;

export class LogRelay {
  readonly #clock: Clock;
  readonly #level: LoggingLevel | undefined;
  readonly #send: (message: LogMessage) => void;
  #left = budget;
  #at: number;
  #omitted = 0;

  /** Without a level nothing is sent. */
  constructor(clock: Clock, level: LoggingLevel | undefined, send: (message: LogMessage) => void) {
    this.#clock = clock;
    this.#level = level;
    this.#send = send;
    this.#at = clock.now();
  }

  push(message: LogMessage): void {
    if (this.#level === undefined || severity.indexOf(message.level) < severity.indexOf(this.#level)) return;
    const now = this.#clock.now();
    this.#left = Math.min(budget, this.#left + ((now - this.#at) / 1000) * budgetPerSecond);
    this.#at = now;
    const size = JSON.stringify(message).length;
    if (size > this.#left) {
      this.#omitted += 1;
      return;
    }
    this.#left -= size;
    if (this.#omitted > 0) {
      const data = `${this.#omitted} log messages of this call were left out: there were too many, or they were too long.`;
      this.#send({ level: 'warning', logger: 'tidings', data });
      this.#omitted = 0;
    }
    this.#send(message);
  }
}
