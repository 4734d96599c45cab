// A client that can be asked, as hosts are, on the SDK: it answers with its own name and records the questions.
import {
  Client,
  type ClientCapabilities,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Era } from '@tidings/live/testing';

export interface AskingClientOptions {
  name?: string;
  /** The client's name. */
  info?: string;
  capabilities?: ClientCapabilities;
  token?: string;
  inputRequired?: ClientOptions['inputRequired'];
}

const everyCapability: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
};

export class AskingClient implements AsyncDisposable {
  readonly client: Client;
  readonly #transport: StreamableHTTPClientTransport;
  /** The messages of the questions so far. */
  readonly asked: string[] = [];
  readonly logged: unknown[] = [];
  readonly completed: string[] = [];

  private constructor(url: string, era: Era, options: AskingClientOptions) {
    const { name = 'Ada', info = 'asking', capabilities = everyCapability, token, inputRequired } = options;
    this.client = new Client(
      { name: info, version: '1.0.0' },
      {
        versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' },
        capabilities,
        ...(inputRequired && { inputRequired }),
      },
    );
    if (capabilities.elicitation) {
      this.client.setRequestHandler('elicitation/create', ({ params }) => {
        this.asked.push(params.message);
        return params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name } };
      });
    }
    if (capabilities.sampling) {
      this.client.setRequestHandler('sampling/createMessage', () => {
        this.asked.push('model');
        return { model: 'test', role: 'assistant', content: { type: 'text', text: `yes, ${name}` } };
      });
    }
    if (capabilities.roots) {
      this.client.setRequestHandler('roots/list', () => {
        this.asked.push('roots');
        return { roots: [{ uri: `file:///home/${name}` }] };
      });
    }
    this.client.setNotificationHandler('notifications/message', ({ params }) => void this.logged.push(params.data));
    this.client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      this.completed.push(params.elicitationId);
    });
    const requestInit = token === undefined ? {} : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
    this.#transport = new StreamableHTTPClientTransport(new URL(url), requestInit);
  }

  static async connect(url: string, era: Era, options: AskingClientOptions = {}): Promise<AskingClient> {
    const asking = new AskingClient(url, era, options);
    await asking.client.connect(asking.#transport);
    return asking;
  }

  /** The text of a tool's result. */
  async call(name: string, options: Parameters<Client['callTool']>[1] = {}): Promise<string> {
    const { content } = await this.client.callTool({ name }, options);
    return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#transport.sessionId !== undefined) await this.#transport.terminateSession();
    await this.client.close();
  }
}
