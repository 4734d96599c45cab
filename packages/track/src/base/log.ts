// The tracker's log. A pino logger fits; so does the kit's log, which drops info lines.
import type { Log } from '@tidings/live';

/** Where the tracker reports. Default: `stderrLog` of the kit; a pino logger fits. */
export type TrackerLog = Log;

/** Calls each listener; one that throws is logged, and the others are still called. */
export function callEach<Args extends unknown[]>(
  listeners: Iterable<(...args: Args) => void>,
  log: Log,
  ...args: Args
): void {
  for (const listener of listeners) {
    try {
      listener(...args);
    } catch (error) {
      log.error({ err: error }, 'A listener for changes has thrown an error.');
    }
  }
}

/** A log whose lines all name this server. */
export function logFor(log: TrackerLog, server: string): Required<TrackerLog> {
  const at = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    log[level]?.({ server, ...fields }, message);
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
