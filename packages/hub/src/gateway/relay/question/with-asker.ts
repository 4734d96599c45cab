// Adds the name of the asking server to questions. If many servers share one address, the client knows only the hub,
// and one server could ask in the name of another.
import type { InputRequest, InputRequests, InputRequiredResult } from '@modelcontextprotocol/client';

export function withAsker(result: InputRequiredResult, serverId: string): InputRequiredResult {
  const inputRequests: InputRequests = {};
  for (const [key, request] of Object.entries(result.inputRequests ?? {})) {
    inputRequests[key] = namedAfter(request, serverId);
  }
  return result.inputRequests ? { ...result, inputRequests } : result;
}

export function namedAfter(request: InputRequest, serverId: string): InputRequest {
  if (request.method !== 'elicitation/create') return request;
  const message = `The server "${serverId}" asks: ${request.params.message}`;
  return { ...request, params: { ...request.params, message } };
}
