// Errors of an engine, as messages for the operator of the server.
import { LiveError } from '@tidings/live';

/** The engine's own error is the cause; the message says what happened and what to do. */
export function databaseError(message: string, cause?: unknown): LiveError {
  return Object.assign(new LiveError('DATABASE_ERROR', message), { cause });
}
