// Log messages that a server sends during a call, if the call requested them.
import { logLevels } from '@tidings/live/portable';
import * as z from 'zod/mini';

export type LogLevel = (typeof logLevels)[number];

const notification = z.object({
  method: z.literal('notifications/message'),
  params: z.object({
    level: z.enum(logLevels),
    logger: z.optional(z.string()),
    data: z.unknown(),
  }),
});

export interface ServerLogMessage {
  level: LogLevel;
  logger: string | undefined;
  data: unknown;
}

/** The level that a call requests, and the receiver of its messages. */
export interface CallLog {
  level: LogLevel;
  onMessage(this: void, message: ServerLogMessage): void;
}

/** Undefined for any other message. */
export function logMessageIn(message: unknown): ServerLogMessage | undefined {
  const { data: found } = notification.safeParse(message);
  return found && { level: found.params.level, logger: found.params.logger, data: found.params.data };
}
