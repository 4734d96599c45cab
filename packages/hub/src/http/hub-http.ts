// The hub over HTTP: who may come in, and which part answers.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import {
  type Caller,
  type EndpointOptions,
  type HttpEndpoint,
  type LiveServer,
  createGuard,
  httpEndpoint,
} from '@tidings/live';
import type { Principal } from '../access/scope.ts';
import { type Tokens, cookieName } from '../access/tokens.ts';
import { seenBy } from '../access/visible-event.ts';
import { errorAnswer, unauthenticated } from './answer.ts';
import { type ApiOptions, apiRoutes, assertWhole } from './api.ts';
import { answerCors } from './cors.ts';
import { isForBrowser, sendLogInPage } from './log-in-page.ts';
import { OpenAnswers } from './open-answers.ts';
import type { Pages } from './pages.ts';

export interface HubHttpOptions extends Omit<ApiOptions, 'callerOf'> {
  gateway: LiveServer;
  /** Resolves when the gateway has what the servers behind it have. */
  settled(this: void): Promise<void>;
  /** One server alone; undefined where there is none of that name. */
  single(this: void, serverId: string): Promise<LiveServer | undefined>;
  tokens: () => Tokens;
  allowedHosts: readonly string[];
  /** Origins of pages elsewhere that may call the hub. */
  corsOrigins: () => readonly string[];
  pages: Pages;
  isReady: () => boolean;
  limits?: Partial<HttpLimits> | undefined;
}

export interface HttpLimits {
  connections: number;
  /** Within these a request has to be here; how long its answer takes, or a stream lasts, is another matter. */
  headersMs: number;
  requestMs: number;
}

const usualLimits: HttpLimits = { connections: 20_000, headersMs: 15_000, requestMs: 60_000 };
/** Longer than clients and proxies keep theirs: a request on a connection that is just being closed is lost. */
const keepAliveTimeout = 75_000;
const closeGraceMs = 1000;

export class HubHttp {
  readonly #options: HubHttpOptions;
  readonly #http: Server;
  readonly #guard: (req: IncomingMessage) => void;
  readonly #principals = new WeakMap<IncomingMessage, Principal>();
  readonly #open = new OpenAnswers();
  readonly #api: (req: IncomingMessage, res: ServerResponse) => unknown;
  readonly #gateway: HttpEndpoint;
  readonly #singles = new Map<LiveServer, HttpEndpoint>();

  constructor(options: HubHttpOptions) {
    this.#options = options;
    this.#guard = createGuard(this.#guardOptions());
    this.#gateway = httpEndpoint(options.gateway, this.#endpointOptions());
    const app = apiRoutes({ ...options, callerOf: (req) => this.#callerOf(req) });
    this.#api = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const { connections, headersMs, requestMs } = { ...usualLimits, ...options.limits };
    // Node looks twice a minute unless told otherwise.
    const timeouts = {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: headersMs / 3,
    };
    this.#http = createServer({ ...timeouts, keepAliveTimeout }, (req, res) => {
      void this.#answer(req, res);
    });
    this.#http.maxConnections = connections;
  }

  /** Resolves with the address that was taken. */
  listen(port: number, host: string): Promise<{ host: string; port: number }> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen(port, host, () => {
        this.#http.off('error', reject);
        const address = this.#http.address();
        if (address !== null && typeof address !== 'string') resolve({ host: address.address, port: address.port });
      });
    });
  }

  /** Cuts off whoever came with a token that is gone, or opens something else now. */
  review(): void {
    const tokens = this.#options.tokens();
    this.#open.review((principal) => tokens.admits(principal));
    for (const endpoint of this.#endpoints()) {
      endpoint
        .endSessions((auth) => !tokens.hasSubject(auth?.subject))
        .catch((error: unknown) => this.#options.log.error({ error }, 'A session could not be ended.'));
    }
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#http.close(() => resolve()));
    // Readers of events stay for ever, unless their stream ends.
    this.#options.tracker.events.close();
    await Promise.all(this.#endpoints().map((endpoint) => endpoint.close()));
    const impatience = setTimeout(() => this.#http.closeAllConnections(), closeGraceMs);
    this.#http.closeIdleConnections();
    await closed;
    clearTimeout(impatience);
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await this.#route(req, res);
    } catch (error) {
      const { status, body } = errorAnswer(error, this.#options.log);
      send(res, status, body);
    }
  }

  async #route(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = targetOf(req);
    this.#guard(req);
    if (answerCors(this.#options.corsOrigins(), req, res)) return;
    if (pathname === '/healthz') return send(res, 200, { status: 'ok' });
    if (pathname === '/readyz') return this.#readiness(res);
    if (pathname === '/' && searchParams.has('token')) return this.#logIn(req, res, searchParams.get('token') ?? '');
    const principal = this.#options.tokens().principalOf(req);
    if (principal === undefined) return this.#refuse(req, res);
    this.#principals.set(req, principal);
    this.#open.add(req, res, principal);
    await this.#routeKnown(req, res, pathname);
  }

  async #routeKnown(req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void> {
    const { tracker, settled, single, pages, sightOf } = this.#options;
    if (pathname === '/mcp') {
      await settled();
      return this.#gateway.handle(req, res);
    }
    if (pathname.startsWith('/mcp/')) {
      const server = await single(pathname.slice('/mcp/'.length));
      if (server) return this.#endpointOf(server).handle(req, res);
    }
    if (pathname === '/api/mcp/resource-events') {
      const sight = sightOf(this.#callerOf(req));
      return tracker.events.handle(req, res, (event) => seenBy(sight, event));
    }
    if (pathname === '/metrics') return this.#metrics(req, res);
    if (await pages.serve(pathname, req, res)) return;
    await this.#api(req, res);
  }

  #callerOf(req: IncomingMessage): Caller {
    return { era: 'modern', transport: 'http', auth: this.#principals.get(req) };
  }

  #readiness(res: ServerResponse): void {
    const isReady = this.#options.isReady();
    send(res, isReady ? 200 : 503, { status: isReady ? 'ready' : 'starting' });
  }

  /** They tell of every server. */
  async #metrics(req: IncomingMessage, res: ServerResponse): Promise<void> {
    assertWhole(this.#callerOf(req));
    const text = await this.#options.tracker.metrics();
    res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  }

  /** A browser shows its token once, and the address bar forgets it. */
  #logIn(req: IncomingMessage, res: ServerResponse, token: string): void {
    const tokens = this.#options.tokens();
    const cookie = tokens.cookieFor(token);
    // One that is let in anyway needs no right one.
    if (cookie === undefined && tokens.principalOf(req) === undefined) return this.#refuse(req, res);
    const attributes = 'Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000';
    if (cookie !== undefined) res.setHeader('Set-Cookie', `${cookieName}=${cookie}; ${attributes}`);
    res.writeHead(303, { Location: '/', 'Cache-Control': 'no-store' }).end();
  }

  #refuse(req: IncomingMessage, res: ServerResponse): void {
    const { pathname, searchParams } = targetOf(req);
    if (pathname === '/' && isForBrowser(req)) return sendLogInPage(res, searchParams.has('token'));
    const { status, body } = unauthenticated();
    res.setHeader('WWW-Authenticate', 'Bearer');
    send(res, status, body);
  }

  #endpoints(): HttpEndpoint[] {
    return [this.#gateway, ...this.#singles.values()];
  }

  #endpointOf(server: LiveServer): HttpEndpoint {
    let endpoint = this.#singles.get(server);
    if (endpoint === undefined) this.#singles.set(server, (endpoint = httpEndpoint(server, this.#endpointOptions())));
    return endpoint;
  }

  #guardOptions() {
    const { allowedHosts, corsOrigins } = this.#options;
    const named = () => corsOrigins().map((origin) => new URL(origin).hostname);
    return { allowedHosts, allowedOrigins: () => [...allowedHosts, ...named()] };
  }

  /** Whoever gets as far as an endpoint has been let in. */
  #endpointOptions(): EndpointOptions {
    return { ...this.#guardOptions(), authenticate: (req) => this.#principals.get(req) };
  }
}

function targetOf({ url = '/' }: IncomingMessage): URL {
  const base = 'http://localhost';
  return URL.canParse(url, base) ? new URL(url, base) : new URL(base);
}

function send(res: ServerResponse, status: number, body: object): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
