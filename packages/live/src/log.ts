// The log: what is not reported to clients. A pino logger fits as it is: errors are under `err`, which it expands.
import { shownValue } from './shown-value.ts';
import { visibleText } from './visible-text.ts';

/** Where failures are reported. Default: `stderrLog`; a pino logger fits. */
export interface Log {
  /** Not a problem, but worth keeping. `stderrLog` leaves it out. */
  info?(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** One line per report on stderr: stdout belongs to JSON-RPC. */
export const stderrLog: Log = {
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
};

/** A log that fails must not take down what it reports on. */
export function unfailing(log: Log): Log {
  const guard = (level: keyof Log) => (fields: object, message: string) => {
    try {
      log[level]?.(fields, message);
    } catch (error) {
      writeLine(level, { ...fields, logFailure: error }, message);
    }
  };
  return { ...(log.info && { info: guard('info') }), warn: guard('warn'), error: guard('error') };
}

function writeLine(level: string, fields: object, message: string): void {
  const details = Object.entries(fields).map(([name, value]) => ` ${name}=${describe(value)}`);
  // To stderr, in every runtime that has one.
  console.error(visibleText(`${level}: ${message}${details.join('')}`));
}

function describe(value: unknown): string {
  return typeof value === 'string' ? value : shownValue(value);
}
