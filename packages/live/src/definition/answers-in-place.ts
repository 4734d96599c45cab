// What the SDK's server does not know how to answer: errors of tools under a code of the protocol; tasks, in which it would
// miss the structured content of a tool that declares some; results and tools of other servers, of which it would drop or
// refuse what it does not know. The SDK is given another result, which is replaced on its way out.
import type { CallToolResult, JSONRPCMessage, McpServer, RequestId, Transport } from '@modelcontextprotocol/server';
import { RpcError } from './rpc-error.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Offered {
  readonly name: string;
  /** Members that the SDK does not list. */
  readonly others: Fields;
}

/** Requests that a client cancels are not answered. */
const mostKept = 1000;

/** What the SDK is given instead: it looks no further at a call that has failed. */
export const replaced: CallToolResult = { isError: true, content: [] };

const renamedPrefix = 'tidings.renamed.';
/** The SDK writes to stderr about any other name, whenever a tool is registered under it. */
const standardName = /^(?![-.]|tidings\.renamed\.)[\w.-]{1,128}(?<![-.])$/;

export class AnswersInPlace {
  readonly #byRequest = new Map<RequestId, RpcError | Fields>();
  /** Tools of other servers, by the name under which the SDK has them. */
  readonly #offered = new Map<string, Offered>();
  /** The same names by those of the tools, where they differ. */
  readonly #renamed = new Map<string, string>();
  #names = 0;
  /** Requests without arguments, for which the SDK gives empty ones to a handler. */
  readonly #bare = new Set<RequestId>();

  set(id: RequestId, answer: RpcError | Fields): void {
    this.#byRequest.set(id, answer);
    dropOldest(this.#byRequest);
  }

  /** A tool of another server. Returns the name to register it under. */
  offer(name: string, others: Fields): string {
    const isStandard = standardName.test(name);
    const registered = isStandard ? name : `${renamedPrefix}${(this.#names += 1)}`;
    if (!isStandard) this.#renamed.set(name, registered);
    if (!isStandard || Object.keys(others).length > 0) this.#offered.set(registered, { name, others });
    return registered;
  }

  /** The arguments of a call or prompt of another server: as the client gave them, or not. */
  argumentsOf(id: RequestId, args: unknown): unknown {
    return this.#bare.has(id) ? undefined : args;
  }

  /** To be called before anything else reads along: the SDK alone knows tools by the names they are registered under. */
  renameOn(served: McpServer): void {
    const connect = served.connect.bind(served);
    served.connect = async (transport: Transport) => {
      await connect(transport);
      const { onmessage } = transport;
      transport.onmessage = (message, extra) => {
        if (isBare(message)) this.#bare.add(message.id);
        dropOldest(this.#bare);
        onmessage?.(this.#renamedIn(message), extra);
      };
    };
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

  #renamedIn(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message) || message.method !== 'tools/call') return message;
    const { name } = message.params ?? {};
    const registered = typeof name === 'string' ? this.#renamed.get(name) : undefined;
    return registered === undefined ? message : { ...message, params: { ...message.params, name: registered } };
  }

  #inPlaceOf(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message) && message.id !== undefined) this.#bare.delete(message.id);
    if (!('result' in message)) return message;
    const { tools } = message.result;
    if (this.#offered.size > 0 && Array.isArray(tools)) {
      return { ...message, result: { ...message.result, tools: tools.map((tool: unknown) => this.#listed(tool)) } };
    }
    const answer = this.#byRequest.get(message.id);
    if (answer === undefined) return message;
    this.#byRequest.delete(message.id);
    if (!(answer instanceof RpcError)) {
      const { resultType, _meta } = message.result;
      const meta = { ..._meta, ...Object(answer['_meta']) };
      const hasMeta = Object.keys(meta).length > 0;
      return {
        ...message,
        result: { ...(resultType !== undefined && { resultType }), ...answer, ...(hasMeta && { _meta: meta }) },
      };
    }
    const { code, message: text, data } = answer;
    return { jsonrpc: '2.0', id: message.id, error: { code, message: text, ...(data !== undefined && { data }) } };
  }

  #listed(tool: unknown): unknown {
    const { name, ...rest }: Fields = Object(tool);
    const offered = typeof name === 'string' ? this.#offered.get(name) : undefined;
    return offered === undefined ? tool : { name: offered.name, ...offered.others, ...rest };
  }
}

function isBare(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  if (!('method' in message) || !('id' in message) || message.id === undefined) return false;
  const takesArguments = message.method === 'tools/call' || message.method === 'prompts/get';
  return takesArguments && message.params?.['arguments'] === undefined;
}

function dropOldest(kept: Set<RequestId> | Map<RequestId, unknown>): void {
  if (kept.size <= mostKept) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    return;
  }
}
