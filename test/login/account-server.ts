// An MCP server that shows to which account a token belongs: every account has resources of its own, and a tool says whose
// call it got.
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type LiveServer, httpEndpoint, liveServer, notFound } from '@tidings/live';
import type { UrlEntry } from '@tidings/track';
import { legacyOnly } from '../support/wire/legacy-only.ts';

export interface AccountLogin {
  readonly issuer: string;
  /** Whose token it is; undefined: it is not valid there. */
  ownerOf(token: string, resource: string): Promise<string | undefined>;
}

const mostCounted = 9;

export class AccountServer implements AsyncDisposable {
  /** How many requests came with a token of each account; `nobody` for those without a good one. */
  readonly requests = new Map<string, number>();
  /** Requests with a token, whose account is not the one that the request is about. */
  readonly crossed: string[] = [];
  readonly server: LiveServer;
  readonly #login: AccountLogin;
  readonly #counts = new Map<string, number>();
  readonly #http: Server;
  readonly #endpoint: ReturnType<typeof httpEndpoint>;

  private constructor(login: AccountLogin, era: 'legacy' | 'modern') {
    this.#login = login;
    this.server = liveServer({
      name: 'accounts',
      version: '1.0.0',
      authorize: ({ auth }, uri) => {
        const owner = /^inbox:\/\/([^/]+)/.exec(uri)?.[1];
        return owner === undefined || owner === auth?.subject;
      },
    });
    this.server.resource('account://me', {
      read: (_, { caller: { auth } }) => auth?.subject ?? notFound(),
    });
    this.server.resource('inbox://{owner}/{n}', {
      read: ({ owner, n }: { owner: string; n: string }) => `${owner} ${n}: ${this.#counts.get(`${owner}/${n}`) ?? 0}`,
      list: () =>
        ['operator', 'ada', 'bob'].flatMap((owner) =>
          Array.from({ length: mostCounted }, (_, n) => ({ owner, n: String(n) })),
        ),
    });
    this.server.tool('whoami', {}, (_, { caller }) => caller.auth?.subject ?? 'nobody');
    this.#endpoint = httpEndpoint(this.server, {
      authenticate: async (req) => {
        const subject = await this.#ownerOf(req);
        return subject === undefined ? undefined : { subject };
      },
    });
    const { handle } = this.#endpoint;
    const pass =
      era === 'legacy' ? legacyOnly(handle) : (req: IncomingMessage, res: ServerResponse) => void handle(req, res);
    this.#http = createServer((req, res) => void this.#answer(req, res, pass));
  }

  static async start(login: AccountLogin, era: 'legacy' | 'modern' = 'modern'): Promise<AccountServer> {
    const accounts = new AccountServer(login, era);
    accounts.#http.listen(0, '127.0.0.1');
    await once(accounts.#http, 'listening');
    return accounts;
  }

  get url(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
  }

  entry(more: Partial<UrlEntry> = {}): UrlEntry {
    const base = { id: 'accounts', url: this.url, headers: {}, enabled: true, trackResources: true };
    return { ...base, login: 'per-user', ...more };
  }

  /** Changes a resource of this account. */
  change(owner: string, n: number): void {
    const key = `${owner}/${n}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.server.announce(`inbox://${key}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endpoint.close();
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => void this.#http.close(() => resolve()));
  }

  #ownerOf({ headers: { authorization = '' } }: IncomingMessage): Promise<string | undefined> {
    return this.#login.ownerOf(authorization.replace(/^Bearer /, ''), this.url);
  }

  async #answer(req: IncomingMessage, res: ServerResponse, pass: (req: IncomingMessage, res: ServerResponse) => void) {
    if (req.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const document = { resource: this.url, authorization_servers: [this.#login.issuer] };
      return void res.setHeader('Content-Type', 'application/json').end(JSON.stringify(document));
    }
    const owner = await this.#ownerOf(req);
    this.requests.set(owner ?? 'nobody', (this.requests.get(owner ?? 'nobody') ?? 0) + 1);
    if (owner === undefined) {
      const metadata = new URL('/.well-known/oauth-protected-resource/mcp', this.url).href;
      const challenge = `Bearer resource_metadata="${metadata}", scope="notes:read"`;
      return void res.writeHead(401, { 'WWW-Authenticate': challenge }).end('not logged in');
    }
    return pass(req, res);
  }
}
