// The names of a handler's questions. In 2026-07-28 they are the keys of `inputRequests`; a question of the 2025 era is
// a request without a name, so the name is sent in `_meta`, for a gateway between the eras.
import { type InputRequests, type InputRequiredResult, isInputRequiredResult } from '@modelcontextprotocol/server';
import type { Caller } from '../../resource/caller.ts';

export const questionMetaKey = 'tidings/question';

/** For a 2025-era client, adds the name of each question to its `_meta`; otherwise returns the result unchanged. */
export function withNamedQuestions<Result>(result: Result, { era }: Caller): Result | InputRequiredResult {
  if (era !== 'legacy' || !isInputRequiredResult(result) || result.inputRequests === undefined) return result;
  const inputRequests: InputRequests = {};
  for (const [name, request] of Object.entries(result.inputRequests)) inputRequests[name] = named(name, request);
  return { ...result, inputRequests };
}

type InputRequest = InputRequests[string];

function named(name: string, request: InputRequest): InputRequest {
  const _meta = { ...request.params?._meta, [questionMetaKey]: name };
  // A switch, because the requests differ in the type of their params.
  switch (request.method) {
    case 'elicitation/create':
      return { ...request, params: { ...request.params, _meta } };
    case 'sampling/createMessage':
      return { ...request, params: { ...request.params, _meta } };
    default:
      return { ...request, params: { ...request.params, _meta } };
  }
}
