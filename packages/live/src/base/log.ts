// The server's own log, which clients do not see. A pino logger fits: errors are under `err`, which pino expands.
import { shownValue } from './shown-value.ts';
import { visibleText } from '../portable/visible-text.ts';

/** Where failures are reported. Default: `stderrLog`; a pino logger fits. */
export interface Log {
  /** For events that are not problems. `stderrLog` drops them. */
  info?(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes to stderr, because stdout belongs to JSON-RPC. The stack of an error has lines of its own. */
export const stderrLog: Log = {
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
};

/** A log whose methods never throw, so that a failing log does not affect the code that reports to it. */
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
  // `console.error` writes to stderr in every runtime that has one.
  console.error(visibleText(`${level}: ${message}${details.join('')}`));
}

function describe(value: unknown): string {
  return typeof value === 'string' ? value : shownValue(value);
}
