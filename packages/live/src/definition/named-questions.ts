// The names that a handler gives its questions. In 2026-07-28 they are the keys of `inputRequests`; a question of the
// 2025 era is a request without a name, so there the name travels in `_meta`, for a gateway that crosses the eras.
import { type InputRequests, type InputRequiredResult, isInputRequiredResult } from '@modelcontextprotocol/server';
import type { Caller } from '../resource/caller.ts';

export const questionMetaKey = 'tidings/question';

/** The same result; for a 2025-era client, every question in it has its name in `_meta`. */
export function withNamedQuestions<Result>(result: Result, { era }: Caller): Result | InputRequiredResult {
  if (era !== 'legacy' || !isInputRequiredResult(result) || result.inputRequests === undefined) return result;
  const inputRequests: InputRequests = {};
  for (const [name, request] of Object.entries(result.inputRequests)) inputRequests[name] = named(name, request);
  return { ...result, inputRequests };
}

type InputRequest = InputRequests[string];

function named(name: string, request: InputRequest): InputRequest {
  const _meta = { ...request.params?._meta, [questionMetaKey]: name };
  // One by one: they differ in the type of their params.
  switch (request.method) {
    case 'elicitation/create':
      return { ...request, params: { ...request.params, _meta } };
    case 'sampling/createMessage':
      return { ...request, params: { ...request.params, _meta } };
    default:
      return { ...request, params: { ...request.params, _meta } };
  }
}
