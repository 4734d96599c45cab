// The hub's HTTP server: guards, authenticates and routes requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { LiveError, type Timer } from '@tidings/live';
import { HttpListener, type HttpLimits, requestTarget, whenClosed } from '@tidings/live/internal';
import { every } from '@tidings/live/time';
import { nodePrincipal } from '../access/node-principal.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { Admission, type Admitted } from './admission/admission.ts';
import { ErrorResponses } from './admission/error-responses.ts';
import { HttpAudit } from './admission/http-audit.ts';
import { Login } from './admission/login.ts';
import { ProtectedResource } from './admission/protected-resource.ts';
import { RequestCallers } from './admission/request-callers.ts';
import { KnownClients, type KnownClientsDeps } from './connection/known-clients.ts';
import { MarkedStreams, type MarkedStreamsDeps } from './connection/marked-streams.ts';
import { OpenAnswers } from './connection/open-answers.ts';
import type { HttpAccess } from './http-access.ts';
import { sendJson } from './message/answer.ts';
import { answerCors, isNamedOrigin } from './message/cors.ts';
import { assertNotForeign } from './message/cross-origin.ts';
import { forwardedBy } from './message/forwarded.ts';
import { type HostGuards, hostGuards } from './message/host-guards.ts';
import { setSecurityHeaders } from './message/security-headers.ts';
import { NodeRequests } from './node/node-requests.ts';
import { AdmittedRequests } from './route/admitted-requests.ts';
import { type ApiParts, apiRoutes } from './route/api.ts';
import { GatewayEndpoints } from './route/gateway-endpoints.ts';
import type { Pages } from './route/pages.ts';

interface HubHttpOptions {
  parts: ApiParts;
  access: HttpAccess;
  audit: {
    log: AuditLog;
    /** Whether arguments are recorded. */
    withArguments(this: void): boolean;
  };
  readResources: KnownClientsDeps['readResources'];
  /** Called when a modern client, known by its token and its mark, seems to have left. */
  left: MarkedStreamsDeps['left'];
  pages: Pages;
  readiness(this: void): 'starting' | 'ready' | 'stopping';
  limits: Partial<HttpLimits> | undefined;
}

const usualLimits: HttpLimits = { connections: 20_000, headersMs: 15_000, requestMs: 60_000 };
/** How long a stream may outlive its login. */
const reviewMs = 60_000;

export class HubHttp {
  readonly #parts: ApiParts;
  readonly #access: HttpAccess;
  readonly #readiness: HubHttpOptions['readiness'];
  readonly #listener: HttpListener;
  readonly #guards: HostGuards;
  readonly #admission: Admission;
  readonly #resource: ProtectedResource;
  readonly #errorResponses: ErrorResponses;
  readonly #login: Login;
  readonly #audit: HttpAudit;
  readonly #marked: MarkedStreams;
  readonly #callers: RequestCallers;
  readonly #open: OpenAnswers;
  readonly #endpoints: GatewayEndpoints;
  readonly #admitted: AdmittedRequests;
  readonly #nodes: NodeRequests;
  #nextReview: Timer | undefined;

  constructor({ parts, access, readResources, left, pages, readiness, limits, ...options }: HubHttpOptions) {
    const { tracker, gateways, quotas, sessions, clock, log } = parts;
    this.#parts = parts;
    this.#access = access;
    this.#readiness = readiness;
    const forwarded = forwardedBy(access.proxies);
    this.#guards = hostGuards({ ...access, forwarded });
    this.#open = new OpenAnswers({ quotas, clock });
    this.#callers = new RequestCallers(gateways);
    this.#admission = new Admission({ callers: access.callers, forwarded, clock, log });
    this.#marked = new MarkedStreams({ left, clock });
    const callers = this.#callers;
    const { log: auditLog, withArguments } = options.audit;
    this.#audit = new HttpAudit({ audit: auditLog, callers, forwarded, clock, withArguments });
    const review = () => this.#reviewAnswers();
    this.#login = new Login({ admission: this.#admission, forwarded, audit: this.#audit, review });
    this.#resource = new ProtectedResource({ issuers: () => access.callers().issuers, forwarded });
    this.#errorResponses = new ErrorResponses({ audit: this.#audit, resource: this.#resource, log });
    const clients = new KnownClients({ readResources, clock });
    const known = { callers, open: this.#open, audit: this.#audit, clients };
    this.#endpoints = new GatewayEndpoints({ ...known, forwarded, log });
    gateways.onClosed((closed) => this.#endpoints.close(closed));
    const requests = { ...known, endpoints: this.#endpoints };
    const api = getRequestListener(apiRoutes(parts, requests).fetch, { overrideGlobalObjects: false });
    this.#admitted = new AdmittedRequests({ ...requests, tracker, gateways, quotas, pages, api });
    this.#nodes = new NodeRequests({
      secret: tracker.cluster?.secret,
      isConnected: (id) => tracker.owns(id) && tracker.upstream(id).isListSettled,
      single: (id) => gateways.shared.single(id),
      notify: (id, due) => sessions.notify(id, due),
      api: (req, res, passedFor) => {
        callers.admit(req, { principal: nodePrincipal, passedFor });
        return api(req, res);
      },
    });
    this.#listener = new HttpListener((req, res) => void this.#answer(req, res), {
      limits: { ...usualLimits, ...limits },
    });
    this.#reviewLater();
  }

  /** Resolves with the bound address. */
  listen(port: number, host: string): Promise<{ host: string; port: number }> {
    return this.#listener.listen(port, host);
  }

  /** Closes streams and sessions of tokens that were removed or whose terms changed. */
  review(): void {
    const { callers } = this.#access;
    const { gateways } = this.#parts;
    this.#reviewAnswers();
    this.#endpoints.endSessions((auth, of) => {
      // A caller whose gateways are others now begins a session there.
      const isElsewhere = gateways.isUser(auth) && of === gateways.shared;
      return isElsewhere || !callers().hasSubject(auth?.subject ?? '');
    });
  }

  /** How many streams and sessions are open. */
  get openStreams(): number {
    const open = this.#endpoints.all.map((endpoint) => endpoint.open.streams + endpoint.open.sessions);
    return open.reduce((sum, count) => sum + count, this.#parts.tracker.events.readers);
  }

  /** Ends streams and sessions one by one within this time; requests are answered as before. */
  async drain(ms: number): Promise<void> {
    await Promise.all([
      this.#parts.tracker.events.drain(ms),
      ...this.#endpoints.all.map((endpoint) => endpoint.drain(ms)),
    ]);
  }

  async close(): Promise<void> {
    this.#nextReview?.cancel();
    this.#marked.close();
    this.#open.close();
    await this.#listener.close(async () => {
      // Event streams are endless, so they are closed here.
      this.#parts.tracker.events.close();
      await Promise.all([...this.#endpoints.all, ...this.#nodes.endpoints].map((endpoint) => endpoint.close()));
    });
    this.#audit.close();
  }

  #reviewAnswers(): void {
    const { gateways } = this.#parts;
    const isHere = ({ principal, isUser }: Admitted) => gateways.isUser(principal) === (isUser ?? false);
    this.#open.review((admitted) => this.#admission.admits(admitted) && isHere(admitted));
  }

  /** Logins expire and keys are withdrawn without an event, so streams are reviewed periodically. */
  #reviewLater(): void {
    this.#nextReview = every(this.#parts.clock, reviewMs, () => {
      this.#access.callers().issuers.refresh();
      this.#reviewAnswers();
    });
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await this.#route(req, res);
    } catch (error) {
      this.#errorResponses.answer(req, res, error, this.#callers.admittedOf(req)?.principal);
    } finally {
      this.#audit.done(req);
    }
  }

  async #route(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = requestTarget(req);
    const origins = this.#access.corsOrigins();
    setSecurityHeaders(res, target?.pathname ?? '/', isNamedOrigin(origins, req));
    if (target !== undefined && this.#resource.describes(target.pathname)) {
      this.#guards.assertHost(req);
      return this.#resource.answer(req, res, target.pathname);
    }
    this.#guards.assertAllowed(req);
    if (target === undefined) throw new LiveError('INVALID_PARAMS', 'The request target is not a valid URL.');
    const { pathname } = target;
    assertNotForeign(req);
    if (answerCors(origins, req, res)) return;
    if (pathname === '/healthz') return sendJson(res, 200, { status: 'ok' });
    if (pathname === '/readyz') return this.#answerReadiness(res);
    if (this.#nodes.accepts(req, pathname)) return this.#nodes.handle(req, res, pathname);
    if (await this.#login.handle(req, res, target)) return;
    const found = this.#admission.of(req, pathname);
    // Without a promise there is no wait: most requests pass here.
    const admitted = found instanceof Promise ? await found : found;
    if (admitted === undefined) {
      if (!this.#login.ask(req, res, pathname)) this.#errorResponses.unauthenticated(req, res);
      return;
    }
    const { gateways } = this.#parts;
    this.#callers.admit(req, admitted);
    const isUser = gateways.isUser(admitted.principal);
    this.#open.add(res, isUser ? { ...admitted, isUser } : admitted);
    if (isUser) whenClosed(res, gateways.hold({ auth: admitted.principal }));
    this.#marked.add(req, res, admitted.principal.subject);
    await this.#admitted.handle(req, res, pathname, admitted);
  }

  #answerReadiness(res: ServerResponse): void {
    const state = this.#readiness();
    sendJson(res, state === 'ready' ? 200 : 503, { status: state });
  }
}
