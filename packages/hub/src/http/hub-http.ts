// The hub's HTTP server: guards, authenticates and routes requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Caller, type Clock, type NodeEndpointOptions, LiveError, type Timer } from '@tidings/live';
import { atExpiry, createGuard, createHostGuard, requestTarget } from '@tidings/live/internal';
import { every } from '@tidings/live/time';
import type { Callers } from '../access/callers.ts';
import { endpointPath } from '../access/endpoint-path.ts';
import { nodePrincipal } from '../access/node-principal.ts';
import type { Permissions } from '../access/permissions.ts';
import { seenBy } from '../access/visible-event.ts';
import type { CallerGateways } from '../gateway/caller-gateways.ts';
import type { Gateways } from '../gateway/gateways.ts';
import type { ReadResources } from '../gateway/read-resources.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { Admission, type Admitted } from './admission/admission.ts';
import { sendJson } from './message/answer.ts';
import { type ApiOptions, apiRoutes } from './route/api.ts';
import { assertWhole } from './route/assert-whole.ts';
import { assertJson } from './message/body.ts';
import { answerCors, isNamedOrigin } from './message/cors.ts';
import { assertNotForeign } from './message/cross-origin.ts';
import { type Forwarded, forwardedBy } from './message/forwarded.ts';
import { HttpAudit } from './admission/http-audit.ts';
import { HttpListener, type HttpLimits } from './connection/http-listener.ts';
import { KnownClients } from './connection/known-clients.ts';
import { Login, answerWhoAmI } from './admission/login.ts';
import { MarkedStreams, type MarkedStreamsDeps } from './connection/marked-streams.ts';
import { GatewayEndpoints } from './route/gateway-endpoints.ts';
import { NodeRequests } from './node/node-requests.ts';
import { OpenAnswers, whenClosed } from './connection/open-answers.ts';
import type { Pages } from './route/pages.ts';
import { ProtectedResource } from './admission/protected-resource.ts';
import { ErrorResponses } from './admission/error-responses.ts';
import { setSecurityHeaders } from './message/security-headers.ts';

interface HubHttpOptions extends Omit<
  ApiOptions,
  'callerOf' | 'connected' | 'decided' | 'failed' | 'holdStream' | 'keepUnread'
> {
  gateways: CallerGateways;
  readResources: ReadResources;
  callers: () => Callers;
  /** Host names by which clients reach the hub. */
  hosts: () => readonly string[];
  /** Addresses of trusted proxies. */
  proxies: () => readonly string[];
  /** Origins of other pages that may call the hub. */
  corsOrigins: () => readonly string[];
  pages: Pages;
  audit: AuditLog;
  /** Whether the audit log records arguments. */
  auditsArguments: () => boolean;
  /** Called when a modern client, known by its token and its mark, seems to have left. */
  left: MarkedStreamsDeps['left'];
  readiness: () => 'starting' | 'ready' | 'stopping';
  clock: Clock;
  limits?: Partial<HttpLimits> | undefined;
}

/** How long a stream may outlive its login. */
const reviewMs = 60_000;

export class HubHttp {
  readonly #options: HubHttpOptions;
  readonly #listener: HttpListener;
  readonly #guard: (req: IncomingMessage) => void;
  readonly #guardHost: (req: IncomingMessage) => void;
  readonly #forwarded: Forwarded;
  readonly #admission: Admission;
  readonly #resource: ProtectedResource;
  readonly #errorResponses: ErrorResponses;
  readonly #login: Login;
  readonly #audit: HttpAudit;
  readonly #clients: KnownClients;
  readonly #marked: MarkedStreams;
  readonly #admitted = new WeakMap<IncomingMessage, Admitted>();
  readonly #open: OpenAnswers;
  readonly #api: (req: IncomingMessage, res: ServerResponse) => unknown;
  readonly #endpoints: GatewayEndpoints;
  readonly #nodes: NodeRequests;
  #nextReview: Timer | undefined;

  constructor(options: HubHttpOptions) {
    const { callers, proxies, quotas, clock, log, audit, auditsArguments } = options;
    this.#options = options;
    this.#forwarded = forwardedBy(proxies);
    this.#open = new OpenAnswers({ quotas, clock });
    this.#admission = new Admission({ callers, forwarded: this.#forwarded, clock, log });
    this.#clients = new KnownClients(options);
    this.#marked = new MarkedStreams(options);
    const review = () => this.#reviewAnswers();
    const forwarded = this.#forwarded;
    this.#audit = new HttpAudit({ audit, forwarded, clock, withArguments: auditsArguments });
    this.#login = new Login({ admission: this.#admission, forwarded, audit: this.#audit, review });
    this.#resource = new ProtectedResource({ issuers: () => callers().issuers, forwarded });
    this.#errorResponses = new ErrorResponses({ audit: this.#audit, resource: this.#resource, log });
    const settings = {
      hosts: '"hosts" in the configuration, or start the hub with --allow-host',
      origins: '"cors" in the configuration',
    };
    const { hosts: allowedHosts, corsOrigins: allowedOrigins } = options;
    this.#guard = createGuard({ allowedHosts, allowedOrigins, isTls: forwarded.isTls, settings });
    this.#guardHost = createHostGuard({ allowedHosts, settings });
    this.#endpoints = new GatewayEndpoints((id) => this.#endpointOptions(id));
    options.gateways.onClosed((gateways) => this.#endpoints.close(gateways));
    const app = apiRoutes({
      ...options,
      callerOf: (req) => this.#callerOf(req),
      connected: {
        clients: this.#clients,
        connections: () => this.#endpoints.connections(),
        eventStreams: () => options.tracker.events.readers,
      },
      decided: this.#audit.decider((req) => this.#admitted.get(req)),
      failed: (req, code) => this.#audit.failed(req, code),
      holdStream: (req, res) => this.#holdStream(req, res),
      keepUnread: (res, bytes) => this.#open.keep(res, bytes),
    });
    this.#api = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const { tracker, gateways } = options;
    this.#nodes = new NodeRequests({
      secret: tracker.cluster?.secret,
      isConnected: (id) => tracker.owns(id) && tracker.upstream(id).isListSettled,
      single: (id) => gateways.shared.single(id),
      notify: (id, due) => options.sessions.notify(id, due),
      api: (req, res) => {
        this.#admitted.set(req, { principal: nodePrincipal });
        return this.#api(req, res);
      },
    });
    this.#listener = new HttpListener((req, res) => void this.#answer(req, res), options.limits);
    this.#reviewLater();
  }

  /** Resolves with the bound address. */
  listen(port: number, host: string): Promise<{ host: string; port: number }> {
    return this.#listener.listen(port, host);
  }

  /** Closes streams and sessions of tokens that were removed or whose terms changed. */
  review(): void {
    const { callers, gateways } = this.#options;
    this.#reviewAnswers();
    for (const { endpoint, of } of this.#endpoints.owned) {
      // A caller whose gateways are others now begins a session there.
      const isElsewhere = (auth: Caller['auth']) => gateways.isUser(auth) && of === gateways.shared;
      endpoint
        .endSessions((auth) => !callers().hasSubject(auth?.subject ?? '') || isElsewhere(auth))
        .catch((error: unknown) => this.#options.log.error({ err: error }, 'A session could not be ended.'));
    }
  }

  /** How many streams and sessions are open. */
  get openStreams(): number {
    const open = this.#endpoints.all.map((endpoint) => endpoint.open.streams + endpoint.open.sessions);
    return open.reduce((sum, count) => sum + count, this.#options.tracker.events.readers);
  }

  /** Ends streams and sessions one by one within this time; requests are answered as before. */
  async drain(ms: number): Promise<void> {
    await Promise.all([
      this.#options.tracker.events.drain(ms),
      ...this.#endpoints.all.map((endpoint) => endpoint.drain(ms)),
    ]);
  }

  async close(): Promise<void> {
    this.#nextReview?.cancel();
    this.#marked.close();
    this.#open.close();
    await this.#listener.close(async () => {
      // Event streams are endless, so they are closed here.
      this.#options.tracker.events.close();
      await Promise.all([...this.#endpoints.all, ...this.#nodes.endpoints].map((endpoint) => endpoint.close()));
    });
    this.#audit.close();
  }

  #reviewAnswers(): void {
    const { gateways } = this.#options;
    const isHere = ({ principal, isUser }: Admitted) => gateways.isUser(principal) === (isUser ?? false);
    this.#open.review((admitted) => this.#admission.admits(admitted) && isHere(admitted));
  }

  /** Logins expire and keys are withdrawn without an event, so streams are reviewed periodically. */
  #reviewLater(): void {
    const { clock, callers } = this.#options;
    this.#nextReview = every(clock, reviewMs, () => {
      callers().issuers.refresh();
      this.#reviewAnswers();
    });
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await this.#route(req, res);
    } catch (error) {
      this.#errorResponses.answer(req, res, error, this.#admitted.get(req)?.principal);
    }
  }

  async #route(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = requestTarget(req);
    const origins = this.#options.corsOrigins();
    setSecurityHeaders(res, target?.pathname ?? '/', isNamedOrigin(origins, req));
    if (target !== undefined && this.#resource.describes(target.pathname)) {
      this.#guardHost(req);
      return this.#resource.answer(req, res, target.pathname);
    }
    this.#guard(req);
    if (target === undefined) throw new LiveError('INVALID_PARAMS', 'The request target is not a valid URL.');
    const { pathname } = target;
    assertNotForeign(req);
    if (answerCors(origins, req, res)) return;
    if (pathname === '/healthz') return sendJson(res, 200, { status: 'ok' });
    if (pathname === '/readyz') return this.#readiness(res);
    if (this.#nodes.accepts(req, pathname)) return this.#nodes.handle(req, res, pathname);
    if (await this.#login.handle(req, res, target)) return;
    const found = this.#admission.of(req, pathname);
    // Without a promise there is no wait: most requests pass here.
    const admitted = found instanceof Promise ? await found : found;
    if (admitted === undefined) {
      if (!this.#login.ask(req, res, pathname)) this.#errorResponses.unauthenticated(req, res);
      return;
    }
    const { gateways } = this.#options;
    this.#admitted.set(req, admitted);
    const isUser = gateways.isUser(admitted.principal);
    this.#open.add(res, isUser ? { ...admitted, isUser } : admitted);
    if (isUser) whenClosed(res, gateways.hold({ auth: admitted.principal }));
    this.#marked.add(req, res, admitted.principal.subject);
    await this.#routeKnown(req, res, pathname, admitted);
  }

  async #routeKnown(req: IncomingMessage, res: ServerResponse, pathname: string, admitted: Admitted): Promise<void> {
    const { tracker, pages, quotas } = this.#options;
    if (pathname === '/mcp') {
      const gateways = await this.#settledGateways(req);
      return this.#open.busy(res, () => this.#endpoints.of(gateways).gateway.handle(req, res));
    }
    if (pathname.startsWith('/mcp/')) {
      const id = pathname.slice('/mcp/'.length);
      // Waits whether or not there is such a server: the response time must not reveal it.
      const gateways = await this.#settledGateways(req);
      const server = this.#permissionsOf(req).sees(id) ? await gateways.single(id) : undefined;
      if (server) return this.#open.busy(res, () => this.#endpoints.of(gateways).single(server, id).handle(req, res));
    }
    const caller = this.#callerOf(req);
    const answered = quotas.request(caller);
    whenClosed(res, answered);
    if (pathname === '/api/mcp/resource-events') {
      const permissions = this.#permissionsOf(req);
      this.#holdStream(req, res);
      answered();
      const record = this.#audit.follow(req, res, admitted);
      const answering = tracker.events.handle(req, res, (event) => seenBy(permissions, event));
      if (res.headersSent) record();
      return answering;
    }
    // The MCP endpoints check content types themselves.
    assertJson(req);
    if (await pages.serve(pathname, req, res)) return;
    this.#audit.follow(req, res, admitted);
    if (pathname === '/metrics') return this.#metrics(req, res);
    if (pathname === '/api/whoami') return sendJson(res, 200, answerWhoAmI(admitted));
    // A user's own connections may just be opened.
    if (this.#gatewaysOf(req) !== this.#options.gateways.shared) await this.#settledGateways(req);
    await this.#api(req, res);
  }

  #holdStream(req: IncomingMessage, res: ServerResponse): void {
    const caller = this.#callerOf(req);
    const held = this.#options.quotas.hold(caller, 'streams', 1);
    const expiry = atExpiry(this.#options.clock, caller, () => res.destroy());
    whenClosed(res, () => {
      expiry?.cancel();
      held.release();
    });
  }

  #callerOf(req: IncomingMessage): Caller {
    return { era: 'modern', transport: 'http', auth: this.#admitted.get(req)?.principal };
  }

  /** Once they have the lists of their servers. An edit of the configuration may replace them meanwhile. */
  async #settledGateways(req: IncomingMessage): Promise<Gateways> {
    await this.#gatewaysOf(req).common.settled();
    return this.#gatewaysOf(req);
  }

  #gatewaysOf(req: IncomingMessage): Gateways {
    return this.#options.gateways.of(this.#callerOf(req));
  }

  #permissionsOf(req: IncomingMessage): Permissions {
    return this.#gatewaysOf(req).permissionsOf(this.#callerOf(req));
  }

  #readiness(res: ServerResponse): void {
    const state = this.#options.readiness();
    sendJson(res, state === 'ready' ? 200 : 503, { status: state });
  }

  /** Metrics cover all servers, so a limited token may not read them. */
  async #metrics(req: IncomingMessage, res: ServerResponse): Promise<void> {
    assertWhole(this.#permissionsOf(req));
    const text = await this.#options.tracker.metrics();
    res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  }

  /** A request that reaches an endpoint has been guarded and admitted by `#route`. */
  #endpointOptions(id: string | undefined): NodeEndpointOptions {
    const record = this.#audit.observer(id);
    return {
      guard: () => undefined,
      authenticate: (req) => this.#admitted.get(req)?.principal,
      addressOf: this.#forwarded.addressOf,
      observe: (request) => {
        record(request);
        this.#clients.seen(request, endpointPath(id));
      },
      room: (res, bytes, what) => {
        if (what === 'request') this.#open.keepRequest(res, bytes);
        else this.#open.keep(res, bytes);
      },
    };
  }
}
