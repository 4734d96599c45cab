// Limits how much a server may ask at once, for one call or one task.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { ServerQuestion } from '@tidings/track/internal';

/** Most questions without an answer, and their characters of JSON together. */
const mostQuestions = 16;
const mostCharacters = 1_000_000;

/** Returns the size of the question. Throws if there is no room for it beside the waiting ones. */
export function admittedSize(question: ServerQuestion, waiting: Iterable<{ readonly size: number }>): number {
  const sizes = Array.from(waiting, ({ size }) => size);
  const size = JSON.stringify(question).length;
  if (sizes.length < mostQuestions && sizes.reduce((sum, each) => sum + each, size) <= mostCharacters) return size;
  throw refusedQuestion(`One call may have ${mostQuestions} questions with ${mostCharacters} characters at a time.`);
}

export function refusedQuestion(reason: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, reason);
}
