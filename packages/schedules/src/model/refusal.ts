// How the model says no: what is wrong and what a right value looks like.
import { LiveError } from '@tidings/live';

export function refusal(problem: string, example: string): LiveError {
  return new LiveError('INVALID_PARAMS', `${problem} Example: ${example}.`);
}

/** What somebody gave, in a message: on one line, and not longer than it helps. */
export function quoted(given: string): string {
  const text = JSON.stringify(given);
  return text.length > 80 ? `${text.slice(0, 77)}…"` : text;
}
