// A client that returns a server's responses as they are on the wire, before the SDK parses them.
import {
  Client,
  type ClientCapabilities,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Era } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import { z } from 'zod';

/** A JSON-RPC response without its id. */
export interface WireAnswer {
  result?: unknown;
  error?: unknown;
}

export interface WireClientOptions {
  capabilities?: ClientCapabilities;
  token?: string;
}

export class WireClient implements AsyncDisposable {
  readonly client: Client;
  readonly #answers: WireAnswer[];

  private constructor(client: Client, answers: WireAnswer[]) {
    this.client = client;
    this.#answers = answers;
  }

  static async connect(transport: Transport, era: Era, options: WireClientOptions = {}): Promise<WireClient> {
    const { capabilities = {} } = options;
    const client = new Client(
      { name: 'wire', version: '1.0.0' },
      { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' }, capabilities },
    );
    const answers: WireAnswer[] = [];
    transport.onmessage = (message: JSONRPCMessage) => {
      if ('result' in message) answers.push({ result: message.result });
      else if ('error' in message) answers.push({ error: message.error });
    };
    await client.connect(transport);
    return new WireClient(client, answers);
  }

  static http(url: string, era: Era, options: WireClientOptions = {}): Promise<WireClient> {
    const { token } = options;
    const requestInit = token === undefined ? {} : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
    return WireClient.connect(new StreamableHTTPClientTransport(new URL(url), requestInit), era, options);
  }

  /** A client of the server itself, without a hub. */
  static direct(entry: ServerEntry, era: Era): Promise<WireClient> {
    if ('url' in entry) return WireClient.http(entry.url, era);
    if (!('command' in entry)) throw new Error('Built-in servers have no address of their own.');
    const { command, args, env } = entry;
    return WireClient.connect(new StdioClientTransport({ command, args: [...args], env, stderr: 'ignore' }), era);
  }

  /** The response to `initialize` or `server/discover`. */
  async introduction(): Promise<WireAnswer> {
    if (this.client.getProtocolEra() === 'modern') return this.ask('server/discover');
    return this.#answers.find(({ result }) => result !== undefined) ?? {};
  }

  /** The response to one request. Requests must not overlap. */
  async ask(method: string, params: Record<string, unknown> = {}): Promise<WireAnswer> {
    const before = this.#answers.length;
    // The SDK's view of the response does not matter.
    const request = this.client.request({ method, params }, z.looseObject({}), { allowInputRequired: true });
    const failure = await request.then(
      () => undefined,
      (error: unknown) => error,
    );
    const answer = this.#answers[before];
    if (answer === undefined) throw failure ?? new Error(`No answer to ${method}`);
    return answer;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
}
