// Answers of tools that the SDK's server does not know how to give: errors under a code of the protocol, and tasks, in
// which it would miss the structured content of a tool that declares some. The SDK is given another result, which is
// replaced on its way out.
import type { CallToolResult, JSONRPCMessage, McpServer, RequestId, Transport } from '@modelcontextprotocol/server';
import { RpcError } from './rpc-error.ts';

/** What the SDK is given instead: it looks no further at a call that has failed. */
export const replaced: CallToolResult = { isError: true, content: [] };

export class AnswersInPlace {
  readonly #byRequest = new Map<RequestId, RpcError | CallToolResult>();

  set(id: RequestId, answer: RpcError | CallToolResult): void {
    this.#byRequest.set(id, answer);
  }

  /** To be called before the server is connected, after whatever else reads along. */
  answerOn(served: McpServer): void {
    const connect = served.connect.bind(served);
    served.connect = async (transport: Transport) => {
      await connect(transport);
      const send = transport.send.bind(transport);
      transport.send = (message, options) => send(this.#inPlaceOf(message), options);
    };
  }

  #inPlaceOf(message: JSONRPCMessage): JSONRPCMessage {
    const answer = 'result' in message ? this.#byRequest.get(message.id) : undefined;
    if (answer === undefined || !('result' in message)) return message;
    this.#byRequest.delete(message.id);
    if (!(answer instanceof RpcError)) return { ...message, result: { _meta: message.result._meta, ...answer } };
    const { code, message: text, data } = answer;
    return { jsonrpc: '2.0', id: message.id, error: { code, message: text, ...(data !== undefined && { data }) } };
  }
}
