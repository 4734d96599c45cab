// A hand-written MCP server over HTTP, in either era, that misbehaves as configured in `faults`. `resources` are its
// current resources.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Era } from '@tidings/live/testing';
import type { UrlEntry } from '@tidings/track';
import { z } from 'zod';

const modernVersion = '2026-07-28';
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

const messageSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z
    .object({
      uri: z.string().optional(),
      protocolVersion: z.string().optional(),
      requestId: z.union([z.string(), z.number()]).optional(),
      notifications: z.object({ resourceSubscriptions: z.array(z.string()).optional() }).optional(),
    })
    .optional(),
});

type Message = z.infer<typeof messageSchema>;

export interface Faults {
  /** The status of the 2025-era stream; 200 opens it. */
  streamStatus: number;
  /** An HTML page that is sent with status 200 instead of the 2025-era stream. */
  streamPage: string | undefined;
  /** The status of requests in a session; 200 answers them. */
  sessionStatus: number;
  /** Requests without a response. */
  hangs(method: string, uri: string | undefined): boolean;
  /** Requests with this status as response. */
  status(method: string): number | undefined;
  /** Requests with this error as response. */
  error(method: string, uri: string | undefined): { code: number; message: string } | undefined;
  /** Methods that it does not have: in 2026-07-28 that is HTTP 404 with the error. */
  lacks(method: string): boolean;
  /** The URIs of a listen request that are honoured. */
  honors(uri: string): boolean;
  /** The spelling of a URI in notifications. */
  spells(uri: string): string;
  /** The subscription id in notifications of a listen stream; undefined: none. */
  identifies(id: string | number): string | number | undefined;
  /** The text of a notification on a stream. */
  frames(message: object): string;
  /** Sends a notification: when, and how often. */
  delivers(send: () => void): void;
  /** The text that a read of the resource returns. */
  shows(uri: string): string | undefined;
  /** The `ttlMs` of responses. */
  ttlMs: number;
}

interface Stream {
  res: ServerResponse;
  /** 2026-07-28: the id of the listen request, and the honoured URIs. */
  listen?: { id: string | number; uris: Set<string> };
}

export class RawUpstream implements AsyncDisposable {
  era: Era;
  readonly resources: Record<string, string>;
  /** The names of its tools; without any, it does not have the capability. */
  tools: readonly string[] = [];
  readonly faults: Faults = {
    streamStatus: 200,
    streamPage: undefined,
    sessionStatus: 200,
    hangs: () => false,
    status: () => undefined,
    error: () => undefined,
    lacks: () => false,
    honors: () => true,
    spells: (uri) => uri,
    identifies: (id) => id,
    frames: (message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`,
    delivers: (send) => send(),
    shows: (uri) => this.resources[uri],
    ttlMs: 0,
  };
  /** `method uri` of every request. */
  readonly requests: string[] = [];
  readonly #http: Server;
  readonly #streams = new Set<Stream>();
  readonly #subscribed = new Set<string>();
  #sessions = 0;
  #session: string | undefined;

  private constructor(era: Era, resources: Record<string, string>) {
    this.era = era;
    this.resources = resources;
    this.#http = createServer((req, res) => void this.#answer(req, res).catch(() => res.destroy()));
  }

  static async start(era: Era, resources: Record<string, string>): Promise<RawUpstream> {
    const upstream = new RawUpstream(era, resources);
    await new Promise<void>((resolve) => void upstream.#http.listen(0, '127.0.0.1', resolve));
    return upstream;
  }

  get url(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
  }

  entry(id: string, more: Partial<UrlEntry> = {}): UrlEntry {
    return { id, url: this.url, headers: {}, enabled: true, trackResources: true, ...more };
  }

  get streams(): number {
    return this.#streams.size;
  }

  times(request: string): number {
    return this.requests.filter((each) => each === request).length;
  }

  put(uri: string, text: string): void {
    this.resources[uri] = text;
    this.notify(uri);
  }

  /** Adds a resource, or removes it if there is no text, and drops its subscriptions. */
  list(uri: string, text: string | undefined): void {
    if (text === undefined) delete this.resources[uri];
    else this.resources[uri] = text;
    this.#subscribed.delete(uri);
    for (const { listen } of this.#streams) listen?.uris.delete(uri);
    for (const stream of this.#streams) this.#send(stream, 'notifications/resources/list_changed');
  }

  /** Notifies subscribers of an update. */
  notify(uri: string): void {
    for (const stream of this.#streams) {
      if (!(stream.listen?.uris ?? this.#subscribed).has(uri)) continue;
      this.#send(stream, 'notifications/resources/updated', { uri: this.faults.spells(uri) });
    }
  }

  #send({ res, listen }: Stream, method: string, params: object = {}): void {
    const id = listen && this.faults.identifies(listen.id);
    const meta = id !== undefined && { _meta: { [subscriptionKey]: id } };
    this.faults.delivers(() =>
      res.write(this.faults.frames({ jsonrpc: '2.0', method, params: { ...params, ...meta } })),
    );
  }

  /** Ends every stream properly; the server continues. */
  endStreams(): void {
    for (const { res } of this.#streams) res.end();
    this.#streams.clear();
  }

  /** Ends streams and makes sessions unknown, as a restart does. */
  forgetSessions(): void {
    this.#session = undefined;
    this.#subscribed.clear();
    this.endStreams();
  }

  /** Writes the text to every stream without changes. */
  write(text: string): void {
    for (const { res } of this.#streams) res.write(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method === 'GET') return this.#stream(req, res);
    if (req.method !== 'POST') return void res.writeHead(200).end();
    const message = messageSchema.parse(JSON.parse(Buffer.concat(await req.toArray()).toString()));
    const { id, method, params } = message;
    this.requests.push(`${method} ${params?.uri ?? ''}`.trim());
    if (this.faults.hangs(method, params?.uri)) return;
    const session = req.headers['mcp-session-id'];
    if (session !== undefined && this.faults.sessionStatus !== 200) {
      return void res.writeHead(this.faults.sessionStatus).end('No such session.');
    }
    const status = this.faults.status(method);
    if (status !== undefined) return void res.writeHead(status).end('Refused.');
    if (id === undefined) return void res.writeHead(202).end();
    const isModern = req.headers['mcp-protocol-version'] === modernVersion;
    if (isModern !== (this.era === 'modern')) return this.#refuseVersion(res, id);
    if (this.faults.lacks(method)) {
      const error = { code: -32601, message: 'Method not found' };
      return this.#reply(res, { id, error }, this.era === 'modern' ? 404 : 200);
    }
    const error = this.faults.error(method, params?.uri);
    if (error !== undefined) return this.#reply(res, { id, error });
    if (session !== undefined && session !== this.#session) return void res.writeHead(404).end('No such session.');
    if (method === 'subscriptions/listen') return this.#listen(res, message);
    this.#reply(res, { id, ...this.#result(message) });
  }

  #stream(req: IncomingMessage, res: ServerResponse): void {
    this.requests.push('GET');
    if (this.faults.hangs('GET', undefined)) return;
    const status = this.era === 'modern' ? 405 : this.faults.streamStatus;
    if (status !== 200) return void res.writeHead(status).end();
    if (req.headers['mcp-session-id'] !== this.#session) return void res.writeHead(404).end();
    const { streamPage } = this.faults;
    if (streamPage !== undefined) return void res.writeHead(200, { 'Content-Type': 'text/html' }).end(streamPage);
    this.#open(res, { res });
  }

  #listen(res: ServerResponse, { id = 0, params }: Message): void {
    const asked = params?.notifications?.resourceSubscriptions ?? [];
    const honored = asked.filter((uri) => this.faults.honors(uri));
    this.#open(res, { res, listen: { id, uris: new Set(honored) } });
    const acknowledged = {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { resourcesListChanged: true, resourceSubscriptions: honored },
        _meta: { [subscriptionKey]: id },
      },
    };
    res.write(`event: message\ndata: ${JSON.stringify(acknowledged)}\n\n`);
  }

  #open(res: ServerResponse, stream: Stream): void {
    this.#streams.add(stream);
    res.on('close', () => this.#streams.delete(stream));
    res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
  }

  #result({ method, params }: Message): object {
    const capabilities = {
      resources: { subscribe: true, listChanged: true },
      ...(this.tools.length > 0 && { tools: { listChanged: true } }),
    };
    const { uri = '' } = params ?? {};
    const text = this.faults.shows(uri);
    const complete = { resultType: 'complete', ttlMs: this.faults.ttlMs, cacheScope: 'private' };
    switch (method) {
      case 'initialize':
        this.#sessions += 1;
        this.#session = `session-${this.#sessions}`;
        this.#subscribed.clear();
        return {
          result: {
            protocolVersion: params?.protocolVersion,
            capabilities,
            serverInfo: { name: 'raw', version: '1.0.0' },
          },
        };
      case 'server/discover':
        return { result: { ...complete, supportedVersions: [modernVersion], capabilities } };
      case 'resources/list':
        return {
          result: { ...complete, resources: Object.keys(this.resources).map((each) => ({ uri: each, name: each })) },
        };
      case 'tools/list':
        return {
          result: { ...complete, tools: this.tools.map((name) => ({ name, inputSchema: { type: 'object' } })) },
        };
      case 'resources/templates/list':
        return { result: { ...complete, resourceTemplates: [] } };
      case 'resources/read':
        return text === undefined
          ? { error: { code: -32002, message: 'No such resource.' } }
          : { result: { ...complete, contents: [{ uri, mimeType: 'text/plain', text }] } };
      case 'resources/subscribe':
        this.#subscribed.add(uri);
        return { result: {} };
      case 'resources/unsubscribe':
        this.#subscribed.delete(uri);
        return { result: {} };
      case 'ping':
        return { result: {} };
      default:
        return { error: { code: -32601, message: 'Method not found' } };
    }
  }

  #refuseVersion(res: ServerResponse, id: string | number): void {
    const error =
      this.era === 'modern'
        ? { code: -32022, message: 'Unsupported protocol version', data: { supported: [modernVersion] } }
        : { code: -32601, message: 'Method not found' };
    this.#reply(res, { id, error }, this.era === 'modern' ? 400 : 200);
  }

  #reply(res: ServerResponse, message: object, status = 200): void {
    const session = this.era === 'legacy' && this.#session !== undefined ? { 'Mcp-Session-Id': this.#session } : {};
    res.writeHead(status, { 'Content-Type': 'application/json', ...session });
    res.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}
