// A live server over HTTP that can be made to fail: stopped, answering with errors, holding its streams, or supporting
// the 2025 era only.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type LiveServer, type RouteHandle, httpEndpoint, liveServer, notFound } from '@tidings/live';
import type { Era } from '@tidings/live/testing';
import type { UrlEntry } from '@tidings/track';
import { freePort } from '../support/network/free-port.ts';
import { answerInEra } from './era-front.ts';

type EndpointOptions = Parameters<typeof httpEndpoint>[1];

/** `streamless`: it leaves requests for a stream of the 2025 era unanswered. */
export type Mood = 'well' | 'errors' | 'silent' | 'streamless';

export class HttpUpstream implements AsyncDisposable {
  readonly #era: Era;
  readonly #options: EndpointOptions;
  /** The current resources. */
  readonly resources: Record<string, string>;
  mood: Mood = 'well';
  /** Requests without a response so far. */
  unanswered = 0;
  #server: LiveServer;
  #note: RouteHandle<{ name: string }>;
  #http: Server;
  #endpoint: ReturnType<typeof httpEndpoint>;
  #port = 0;

  private constructor(era: Era, resources: Record<string, string>, options: EndpointOptions) {
    this.#era = era;
    this.#options = options;
    this.resources = resources;
    [this.#server, this.#note] = this.#define();
    this.#endpoint = httpEndpoint(this.#server, this.#options);
    this.#http = createServer((req, res) => void this.#answer(req, res));
  }

  static async start(
    era: Era,
    resources: Record<string, string>,
    options: EndpointOptions = {},
  ): Promise<HttpUpstream> {
    const upstream = new HttpUpstream(era, resources, options);
    await upstream.#listen();
    return upstream;
  }

  entry(id: string): UrlEntry {
    return {
      id,
      url: `http://127.0.0.1:${this.#port}/mcp`,
      headers: {},
      enabled: true,
      trackResources: true,
    };
  }

  put(name: string, text: string): void {
    const isNew = !(`note://${name}` in this.resources);
    this.resources[`note://${name}`] = text;
    this.#note.changed({ name });
    if (isNew) this.#server.listChanged();
  }

  remove(name: string): void {
    delete this.resources[`note://${name}`];
    this.#server.listChanged();
  }

  /** Stops it: streams and sockets are destroyed without a last message. */
  async down(): Promise<void> {
    const closed = new Promise((resolve) => void this.#http.close(resolve));
    this.#http.closeAllConnections();
    await closed;
    await this.#endpoint.close();
    await this.#server.close();
  }

  /** Starts it as a new process would: all earlier sessions are unknown. */
  async up(): Promise<void> {
    [this.#server, this.#note] = this.#define();
    this.#endpoint = httpEndpoint(this.#server, this.#options);
    this.#http = createServer((req, res) => void this.#answer(req, res));
    await this.#listen();
  }

  /** Destroys open connections; the server continues. */
  cut(): void {
    this.#http.closeAllConnections();
  }

  get open() {
    return this.#endpoint.open;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
  }

  #define(): [LiveServer, RouteHandle<{ name: string }>] {
    const server = liveServer({ name: 'notes', version: '1.0.0' });
    const route = server.resource('note://{name}', {
      read: ({ name }) => this.resources[`note://${name}`] ?? notFound(),
      list: () => Object.keys(this.resources).map((uri) => ({ name: uri.slice('note://'.length) })),
    });
    return [server, route];
  }

  async #listen(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    await new Promise<void>((resolve) => void this.#http.listen(this.#port, '127.0.0.1', resolve));
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.mood === 'silent' || (this.mood === 'streamless' && req.method === 'GET')) {
      return void (this.unanswered += 1);
    }
    if (this.mood === 'errors') return void res.writeHead(500).end('Something is wrong.');
    return answerInEra(this.#era, this.#endpoint, req, res);
  }
}
