// The error for arguments and documents that are refused; the message says what to change.
import { LiveError } from '@tidings/live';

export function invalidParams(message: string): LiveError {
  return new LiveError('INVALID_PARAMS', message);
}
