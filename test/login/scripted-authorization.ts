// An authorization server under the test's control: its user grants all requests, and each token is valid until the
// test says otherwise.
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';

export class ScriptedAuthorization implements AsyncDisposable {
  /** The parameters of every request to the token endpoint. */
  readonly asked: URLSearchParams[] = [];
  /** Replaces or adds fields of the token endpoint's responses. */
  token: Readonly<Record<string, unknown>> = {};
  /** Answers the token endpoint in place of the server. */
  answerToken: ((res: ServerResponse, parameters: URLSearchParams) => void) | undefined;
  /** Answers any request in place of the server, if it returns true. */
  intercept: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  /** Replaces or adds fields of its metadata. */
  metadata: Readonly<Record<string, unknown>> = {};
  /** Whether a token is valid. */
  isGood: (token: string) => boolean = (token) => token.startsWith('access-');
  #given = 0;
  readonly #http: Server;

  private constructor() {
    this.#http = createServer((req, res) => void this.#answer(req, res));
  }

  static async start(): Promise<ScriptedAuthorization> {
    const server = new ScriptedAuthorization();
    server.#http.listen(0, '127.0.0.1');
    await once(server.#http, 'listening');
    return server;
  }

  get issuer(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** The number of token requests with a refresh token. */
  get renewals(): number {
    return this.asked.filter((each) => each.get('grant_type') === 'refresh_token').length;
  }

  async scopesOf(token: string): Promise<string[] | undefined> {
    return this.isGood(token) ? ['notes:read', 'notes:write'] : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => void this.#http.close(() => resolve()));
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.intercept?.(req, res)) return;
    const { pathname, searchParams } = new URL(req.url ?? '/', this.issuer);
    const json = (body: unknown, status = 200) =>
      void res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/.well-known/oauth-authorization-server') return json(this.#metadata());
    if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'a-code');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      back.searchParams.set('iss', this.issuer);
      return void res.writeHead(302, { Location: back.href }).end();
    }
    let body = '';
    for await (const chunk of req) body += String(chunk);
    if (pathname === '/register') return json({ ...Object(JSON.parse(body)), client_id: 'registered' }, 201);
    if (pathname !== '/token') return json({}, 404);
    const parameters = new URLSearchParams(body);
    this.asked.push(parameters);
    if (this.answerToken) return this.answerToken(res, parameters);
    this.#given += 1;
    const [access_token, refresh_token] = [`access-${this.#given}-secret`, `refresh-${this.#given}-secret`];
    return json({ access_token, refresh_token, token_type: 'Bearer', expires_in: 3600, ...this.token });
  }

  #metadata(): unknown {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }
}
