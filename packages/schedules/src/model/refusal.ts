// Errors for invalid arguments: what is wrong, with an example of a valid value.
import { LiveError } from '@tidings/live';
import { shortened } from '@tidings/live/portable';

export function refusal(problem: string, example: string): LiveError {
  return new LiveError('INVALID_PARAMS', `${problem} Example: ${example}.`);
}

const longestGiven = 80;

/** A given value, quoted in a message: on one line, and cut. */
export function quotedValue(given: string): string {
  return JSON.stringify(shortened(given, longestGiven));
}
