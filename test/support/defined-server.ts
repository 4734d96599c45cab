// A 2025-era server over HTTP, on the SDK alone. A test sets its definitions, while it runs or between two runs of the
// hub. A tool call returns the tool's name.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  type Resource,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import type { UrlEntry } from '@tidings/track';

export interface Definitions {
  /** Descriptions by name. */
  tools?: Record<string, string>;
  prompts?: Record<string, string>;
  instructions?: string;
  /** Members of `serverInfo` beside the name. */
  info?: Record<string, unknown>;
  resources?: Resource[];
  templates?: ResourceTemplate[];
}

interface Session {
  server: Server;
  transport: StreamableHTTPServerTransport;
}

export class DefinedServer implements AsyncDisposable {
  readonly #http: HttpServer;
  readonly #sessions = new Map<string, Session>();
  #definitions: Definitions;
  #url = '';

  private constructor(definitions: Definitions) {
    this.#definitions = definitions;
    this.#http = createServer((req, res) => void this.#handle(req, res));
  }

  static async start(definitions: Definitions): Promise<DefinedServer> {
    const defined = new DefinedServer(definitions);
    await new Promise<void>((resolve) => void defined.#http.listen(0, '127.0.0.1', resolve));
    const address = defined.#http.address();
    if (address !== null && typeof address === 'object') defined.#url = `http://127.0.0.1:${address.port}/mcp`;
    return defined;
  }

  /** Replaces all definitions. */
  define(definitions: Definitions): void {
    this.#definitions = definitions;
    for (const { server } of this.#sessions.values()) {
      void server.sendToolListChanged();
      void server.sendPromptListChanged();
    }
  }

  entry(id: string, more: Partial<UrlEntry> = {}): UrlEntry {
    return { id, url: this.#url, headers: {}, enabled: true, trackResources: false, ...more };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const id = req.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      res.writeHead(404).end();
      return;
    }
    const { transport } = known ?? (await this.#open());
    await transport.handleRequest(req, res);
  }

  async #open(): Promise<Session> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const session = { server: this.#server(), transport };
    await session.server.connect(transport);
    return session;
  }

  #server(): Server {
    const { info, instructions, resources } = this.#definitions;
    const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true } };
    const server = new Server(
      { name: 'defined', version: '1.0.0', ...info },
      {
        capabilities: { ...capabilities, ...(resources && { resources: {} }) },
        ...(instructions !== undefined && { instructions }),
      },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: Object.entries(this.#definitions.tools ?? {}).map(([name, description]) => ({
        name,
        description,
        inputSchema: { type: 'object' },
      })),
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params: { name } }) => ({
      content: [{ type: 'text', text: name }],
    }));
    server.setRequestHandler(ListPromptsRequestSchema, () => ({
      prompts: Object.entries(this.#definitions.prompts ?? {}).map(([name, description]) => ({ name, description })),
    }));
    server.setRequestHandler(GetPromptRequestSchema, ({ params: { name } }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: name } }],
    }));
    if (resources) {
      server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: this.#definitions.resources ?? [] }));
      server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
        resourceTemplates: this.#definitions.templates ?? [],
      }));
    }
    return server;
  }
}
