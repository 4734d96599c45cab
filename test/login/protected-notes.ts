// An MCP server that requires a login: notes, with tokens of the test's authorization server.
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type LiveServer, httpEndpoint, liveServer, notFound } from '@tidings/live';
import type { UrlEntry } from '@tidings/track';
import { legacyOnly } from '../support/wire/legacy-only.ts';

/** The authorization server of its users. */
export interface NotesLogin {
  readonly issuer: string;
  /** The scopes of a token at a resource; undefined if it is not valid there. */
  scopesOf(token: string, resource: string): Promise<string[] | undefined>;
}

export interface ProtectedNotesOptions {
  era?: 'legacy' | 'modern';
  /** The scope that writing needs. Default: none. */
  writes?: string;
}

export class ProtectedNotes implements AsyncDisposable {
  readonly notes = new Map([
    ['first', 'one'],
    ['second', 'two'],
  ]);
  /** Every received `Authorization` header; undefined: none. */
  readonly seen: (string | undefined)[] = [];
  readonly server: LiveServer;
  readonly #login: NotesLogin;
  readonly #writes: string | undefined;
  readonly #http: Server;
  readonly #endpoint: ReturnType<typeof httpEndpoint>;

  private constructor(login: NotesLogin, { era = 'modern', writes }: ProtectedNotesOptions) {
    this.#login = login;
    this.#writes = writes;
    this.server = liveServer({ name: 'notes', version: '1.0.0' });
    this.server.resource('note://{name}', {
      read: ({ name }: { name: string }) => this.notes.get(name) ?? notFound(),
      list: () => [...this.notes.keys()].map((name) => ({ name })),
    });
    this.server.tool('write', {}, () => 'written');
    this.#endpoint = httpEndpoint(this.server);
    const { handle } = this.#endpoint;
    const pass =
      era === 'legacy' ? legacyOnly(handle) : (req: IncomingMessage, res: ServerResponse) => void handle(req, res);
    this.#http = createServer((req, res) => void this.#answer(req, res, pass));
  }

  static async start(login: NotesLogin, options: ProtectedNotesOptions = {}): Promise<ProtectedNotes> {
    const notes = new ProtectedNotes(login, options);
    notes.#http.listen(0, '127.0.0.1');
    await once(notes.#http, 'listening');
    return notes;
  }

  get url(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
  }

  entry(more: Partial<UrlEntry> = {}): UrlEntry {
    return { id: 'notes', url: this.url, headers: {}, enabled: true, trackResources: true, ...more };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endpoint.close();
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => void this.#http.close(() => resolve()));
  }

  async #answer(req: IncomingMessage, res: ServerResponse, pass: (req: IncomingMessage, res: ServerResponse) => void) {
    if (req.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const document = { resource: this.url, authorization_servers: [this.#login.issuer] };
      return void res.setHeader('Content-Type', 'application/json').end(JSON.stringify(document));
    }
    const { authorization } = req.headers;
    this.seen.push(authorization);
    const token = authorization?.replace(/^Bearer /, '') ?? '';
    const scopes = await this.#login.scopesOf(token, this.url);
    const metadata = `resource_metadata="${new URL('/.well-known/oauth-protected-resource/mcp', this.url).href}"`;
    if (scopes === undefined) {
      const challenge = `Bearer ${metadata}, scope="notes:read"`;
      return void res.writeHead(401, { 'WWW-Authenticate': challenge }).end(`This is not good here: ${authorization}`);
    }
    const isWriting = req.headers['mcp-method'] === 'tools/call';
    if (isWriting && this.#writes !== undefined && !scopes.includes(this.#writes)) {
      const challenge = `Bearer error="insufficient_scope", scope="${this.#writes}", ${metadata}`;
      return void res.writeHead(403, { 'WWW-Authenticate': challenge }).end('not allowed');
    }
    return pass(req, res);
  }
}
