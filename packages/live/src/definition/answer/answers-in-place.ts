// Replaces answers of the SDK's server on their way out, where it cannot produce the right one: errors of tools with a
// protocol code; tasks (it would demand the tool's structured content); results and tools of other servers (it would
// drop or refuse members that it does not know). The SDK gets a placeholder result, which is replaced. Tools and prompts
// whose names the SDK cannot handle are registered under other names.
import type { CallToolResult, JSONRPCMessage, McpServer, RequestId, Transport } from '@modelcontextprotocol/server';
import { BoundedMap, BoundedSet } from '../../portable/bounded-map.ts';
import type { Fields } from '../../portable/is-object.ts';
import { RpcError } from './rpc-error.ts';

type NamedMethod = 'tools/call' | 'prompts/get';

interface Offered {
  readonly name: string;
  /** Members of the listing that the SDK does not pass on. */
  readonly others: Fields;
}

export interface InPlaceDeps {
  /** `_meta` of the list of tools. */
  listMeta?(this: void): Fields | undefined;
  /** The error for a tool or prompt that is not there, in place of the SDK's own. */
  refusal?(this: void, method: NamedMethod, name: string): RpcError | undefined;
}

/** Bounds what is kept for requests that are never answered, since their client cancelled them. */
const mostKept = 1000;

/** The placeholder that the SDK gets: it does not validate a result with `isError`. */
export const replaced: CallToolResult = { isError: true, content: [] };

const renamedPrefix = 'tidings.renamed.';
/** Names that the SDK accepts silently. For any other it writes a warning to stderr at each registration. */
const standardName = /^(?![-.]|tidings\.renamed\.)[\w.-]{1,128}(?<![-.])$/;
/** The SDK keeps tools and prompts as members of an object, where these would come first in its lists. */
const indexName = /^\d+$/;

export class AnswersInPlace {
  readonly #byRequest = new BoundedMap<RequestId, RpcError | Fields>(mostKept);
  /** Tools of other servers, by the name under which the SDK has them. */
  readonly #offered = new Map<string, Offered>();
  /** By method: registered names of tools or prompts by their own names, where the two differ. */
  readonly #renamed = { 'tools/call': new Map<string, string>(), 'prompts/get': new Map<string, string>() };
  #names = 0;
  /** Requests for those, with both names. */
  readonly #requestNames = new BoundedMap<RequestId, { readonly name: string; readonly registered: string }>(mostKept);
  readonly #deps: InPlaceDeps;
  /** Requests without arguments: the SDK passes `{}` to their handlers. */
  readonly #bare = new BoundedSet<RequestId>(mostKept);

  constructor(deps: InPlaceDeps = {}) {
    this.#deps = deps;
  }

  set(id: RequestId, answer: RpcError | Fields): void {
    this.#byRequest.set(id, answer);
  }

  /** Adds a tool. Returns the name to register it under. `others`: given for a tool of another server. */
  addTool(name: string, others: Fields | undefined): string {
    const isOwn = others === undefined;
    const registered = this.#register('tools/call', name, isOwn || standardName.test(name));
    if (registered !== name || Object.keys(others ?? {}).length > 0)
      this.#offered.set(registered, { name, others: others ?? {} });
    return registered;
  }

  /** Adds a prompt. Returns the name to register it under. */
  addPrompt(name: string): string {
    return this.#register('prompts/get', name, true);
  }

  /** The arguments for another server's tool or prompt, as the client sent them: undefined if it sent none. */
  argumentsOf(id: RequestId, args: unknown): unknown {
    return this.#bare.has(id) ? undefined : args;
  }

  /** Call it before other observers are installed: only the SDK may see the registered names. */
  renameOn(served: McpServer): void {
    const connect = served.connect.bind(served);
    served.connect = async (transport: Transport) => {
      await connect(transport);
      const { onmessage } = transport;
      transport.onmessage = (message, extra) => {
        if (isBare(message)) this.#bare.add(message.id);
        this.#refuse(message);
        onmessage?.(this.#renamedIn(message), extra);
      };
    };
  }

  /** Call it after other observers are installed, and before the server is connected. */
  answerOn(served: McpServer): void {
    const connect = served.connect.bind(served);
    served.connect = async (transport: Transport) => {
      await connect(transport);
      const send = transport.send.bind(transport);
      transport.send = (message, options) => send(this.#inPlaceOf(message), options);
    };
  }

  /** The SDK answers in its own words, which are replaced. */
  #refuse(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message) || message.id === undefined || !isNamed(message.method)) return;
    const { name } = message.params ?? {};
    const refusal = typeof name === 'string' ? this.#deps.refusal?.(message.method, name) : undefined;
    if (refusal) this.set(message.id, refusal);
  }

  #register(method: NamedMethod, name: string, isAccepted: boolean): string {
    if (isAccepted && !isMember(name) && !indexName.test(name)) return name;
    // A tool or prompt that is defined again keeps its registered name, since definitions may change often in a session.
    const registered = this.#renamed[method].get(name) ?? `${renamedPrefix}${(this.#names += 1)}`;
    this.#renamed[method].set(name, registered);
    return registered;
  }

  #renamedIn(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message) || !isNamed(message.method)) return message;
    const { name } = message.params ?? {};
    const registered = typeof name === 'string' ? this.#renamed[message.method].get(name) : undefined;
    if (typeof name !== 'string' || registered === undefined) return message;
    if ('id' in message && message.id !== undefined) this.#requestNames.set(message.id, { name, registered });
    return { ...message, params: { ...message.params, name: registered } };
  }

  #inPlaceOf(sent: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in sent) && sent.id !== undefined) this.#bare.delete(sent.id);
    const message = this.#withOwnName(sent);
    if ('error' in message && message.id !== undefined) return this.#errorInPlaceOf(message, message.id);
    if (!('result' in message)) return message;
    const { tools, _meta: own } = message.result;
    const listMeta = Array.isArray(tools) ? this.#deps.listMeta?.() : undefined;
    if (Array.isArray(tools) && (this.#offered.size > 0 || listMeta)) {
      const listed = tools.map((tool: unknown) => this.#listed(tool));
      return { ...message, result: { ...message.result, tools: listed, ...withMeta(own, listMeta) } };
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
    return errorOf(message.id, answer);
  }

  #errorInPlaceOf(message: JSONRPCMessage, id: RequestId): JSONRPCMessage {
    const answer = this.#byRequest.get(id);
    this.#byRequest.delete(id);
    return answer instanceof RpcError ? errorOf(id, answer) : message;
  }

  /** The SDK's own errors contain the registered name. */
  #withOwnName(message: JSONRPCMessage): JSONRPCMessage {
    if ('method' in message || message.id === undefined) return message;
    const names = this.#requestNames.get(message.id);
    if (names === undefined) return message;
    this.#requestNames.delete(message.id);
    const named = (text: string) => text.replaceAll(names.registered, () => names.name);
    if ('error' in message) return { ...message, error: { ...message.error, message: named(message.error.message) } };
    const { isError, content } = message.result;
    if (isError !== true || !Array.isArray(content)) return message;
    return { ...message, result: { ...message.result, content: content.map((block) => withText(block, named)) } };
  }

  #listed(tool: unknown): unknown {
    const { name, ...rest }: Fields = Object(tool);
    const offered = typeof name === 'string' ? this.#offered.get(name) : undefined;
    return offered === undefined ? tool : { name: offered.name, ...offered.others, ...rest };
  }
}

function errorOf(id: RequestId, { code, message, data }: RpcError): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

function withText(block: unknown, change: (text: string) => string): unknown {
  const { text, ...others }: Fields = Object(block);
  return typeof text === 'string' ? { ...others, text: change(text) } : block;
}

function withMeta(own: unknown, meta: Fields | undefined): Fields {
  return meta === undefined ? {} : { _meta: { ...meta, ...Object(own) } };
}

/** Whether every object has a member of this name, such as `constructor`: the SDK takes it for registered. */
function isMember(name: string): boolean {
  return name in Object.prototype;
}

function isNamed(method: string): method is NamedMethod {
  return method === 'tools/call' || method === 'prompts/get';
}

function isBare(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  if (!('method' in message) || !('id' in message) || message.id === undefined) return false;
  return isNamed(message.method) && message.params?.['arguments'] === undefined;
}
