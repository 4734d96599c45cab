// Describes what is wrong with an answer of an authorization server in plain words, instead of a parser's message.

export function answerProblem(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const isUnreadable = error instanceof SyntaxError || 'issues' in error;
  return isUnreadable ? new Error('The authorization server gave an answer that is not one of OAuth.') : error;
}
