// Where the tracker reports. A pino logger fits as it is; the kit's log does too, and hears no chatter.
import type { Log } from '@tidings/live';

export interface TrackerLog extends Log {
  /** What is worth keeping and needs nobody's attention, such as a server's own stderr. */
  info?(fields: object, message: string): void;
}

/** Calls each listener; one that fails is reported and harms nobody else. */
export function tellEach<Args extends unknown[]>(
  listeners: Iterable<(...args: Args) => void>,
  log: Log,
  ...args: Args
): void {
  for (const listener of listeners) {
    try {
      listener(...args);
    } catch (error) {
      log.error({ error }, 'Somebody who was told of a change failed.');
    }
  }
}

/** Every line carries the server it is about. */
export function logFor(log: TrackerLog, server: string): Required<TrackerLog> {
  const at = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    log[level]?.({ server, ...fields }, message);
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
