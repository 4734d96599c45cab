// Questions to the user that name the server they come from. Where many servers have one address, the client knows
// only the hub, and one server could ask in the name of another.
import type { InputRequests, InputRequiredResult } from '@modelcontextprotocol/client';

export function withAsker(result: InputRequiredResult, serverId: string): InputRequiredResult {
  const inputRequests: InputRequests = {};
  for (const [key, request] of Object.entries(result.inputRequests ?? {})) {
    if (request.method !== 'elicitation/create') inputRequests[key] = request;
    else {
      const message = `The server "${serverId}" asks: ${request.params.message}`;
      inputRequests[key] = { ...request, params: { ...request.params, message } };
    }
  }
  return result.inputRequests ? { ...result, inputRequests } : result;
}
