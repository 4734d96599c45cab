// Errors for invalid arguments: what is wrong, with an example of a valid value.
import { LiveError } from '@tidings/live';

export function refusal(problem: string, example: string): LiveError {
  return new LiveError('INVALID_PARAMS', `${problem} Example: ${example}.`);
}

/** A given value, quoted in a message: on one line, and cut. */
export function quotedValue(given: string): string {
  const text = JSON.stringify(given);
  return text.length > 80 ? `${text.slice(0, 77)}…"` : text;
}
