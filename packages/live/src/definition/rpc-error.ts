// Errors that reach the client under a code of the protocol. The SDK turns whatever a tool throws into a result with
// `isError`; a gateway has to answer as the server behind it did.
import type { JSONRPCMessage, McpServer, RequestId, Transport } from '@modelcontextprotocol/server';

/**
 * The client gets a JSON-RPC error with this code and data, also from a tool.
 *
 * @example
 * throw new RpcError(-31099, 'Try another one.');
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The errors of tools that are to be answered in place of a result, by request. */
export class RpcErrors {
  readonly #byRequest = new Map<RequestId, RpcError>();

  set(id: RequestId, error: RpcError): void {
    this.#byRequest.set(id, error);
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
    const error = 'result' in message ? this.#byRequest.get(message.id) : undefined;
    if (error === undefined || !('result' in message)) return message;
    this.#byRequest.delete(message.id);
    const { code, message: text, data } = error;
    return { jsonrpc: '2.0', id: message.id, error: { code, message: text, ...(data !== undefined && { data }) } };
  }
}
