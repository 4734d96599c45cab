// Describes what is wrong with an answer of an authorization server in plain words, instead of a parser's message.
import { asError } from '@tidings/live/portable';

export function answerProblem(error: unknown): Error {
  const problem = asError(error);
  const isUnreadable = problem instanceof SyntaxError || 'issues' in problem;
  return isUnreadable ? new Error('The authorization server gave an answer that is not one of OAuth.') : problem;
}
