// Log messages to clients, each about one of their requests. Bounded, so that a handler that logs without end to a slow
// client cannot fill the memory: messages over the budget are dropped, and a last message says so.
import type { LoggingLevel, LoggingMessageNotificationParams } from '@modelcontextprotocol/server';
import { checkValue, oneOf } from '../../base/check-options.ts';
import { logLevels } from '../../portable/log-levels.ts';
import type { Log } from '../../base/log.ts';
import type { CallingClient, ClientLog } from '../../resource/call-context.ts';
import type { Caller } from '../../resource/caller.ts';
import type { Clock } from '../../time/clock.ts';
import { TokenBucket } from '../../time/token-bucket.ts';

const aLevel = oneOf(...logLevels);

/** For 2025-era clients that set no level. Clients of 2026-07-28 without a level get no messages. */
const legacyDefault: LoggingLevel = 'info';

/** Characters of JSON that one request may send. */
const budget = { burst: 1_000_000, perSecond: 20_000 };

interface ClientLogsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the server declares the logging capability; without it no log messages may be sent. */
  isOffered(this: void): boolean;
}

/** The request that the messages are about. */
interface LoggedRequest {
  readonly era: Caller['era'];
  readonly client: Pick<CallingClient, 'logLevel'>;
  send(this: void, message: LoggingMessageNotificationParams): Promise<void>;
}

export class ClientLogs {
  readonly #options: ClientLogsOptions;
  #hasWarned = false;

  constructor(options: ClientLogsOptions) {
    this.#options = options;
  }

  /** The log of one request. It never throws and need not be awaited. */
  logOf({ era, client, send }: LoggedRequest): ClientLog {
    const { clock, log, isOffered } = this.#options;
    const failed = (err: unknown) => log.warn({ err }, 'A log message could not be sent to its client.');
    // A send fails if the client has disconnected, which is not an error.
    const budgeted = new BudgetedLog(clock, (message) => void send(message).catch(() => undefined));
    return (level, data, logger, meta) => {
      checkValue('The level of a log message', level, aLevel);
      if (!isOffered()) return this.#warn();
      const least = client.logLevel ?? (era === 'legacy' ? legacyDefault : undefined);
      if (least === undefined || logLevels.indexOf(level) < logLevels.indexOf(least)) return;
      try {
        budgeted.push({ level, data, ...(logger !== undefined && { logger }), ...(meta && { _meta: meta }) });
      } catch (error) {
        failed(error);
      }
    };
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const message = 'A handler logs for its client, which gets nothing: give liveServer capabilities: { logging: {} }.';
    this.#options.log.warn({}, message);
  }
}

class BudgetedLog {
  readonly #send: (message: LoggingMessageNotificationParams) => void;
  readonly #budget: TokenBucket;
  #omitted = 0;

  constructor(clock: Clock, send: (message: LoggingMessageNotificationParams) => void) {
    this.#send = send;
    this.#budget = new TokenBucket(clock, budget);
  }

  push(message: LoggingMessageNotificationParams): void {
    if (this.#budget.take(JSON.stringify(message).length) > 0) {
      this.#omitted += 1;
      return;
    }
    if (this.#omitted > 0) {
      const data = `${this.#omitted} log messages of this call were left out: there were too many, or they were too long.`;
      this.#send({ level: 'warning', logger: 'tidings', data });
      this.#omitted = 0;
    }
    this.#send(message);
  }
}
