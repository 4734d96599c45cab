// Routes requests that were admitted: to the MCP endpoints, the event stream, the pages, and the hub's own routes.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { whenClosed } from '@tidings/live/internal';
import type { Tracker } from '@tidings/track';
import type { HubQuotas } from '../../access/hub-quotas.ts';
import { seenBy } from '../../access/visible-event.ts';
import type { CallerGateways } from '../../gateway/caller-gateways.ts';
import type { Admitted } from '../admission/admission.ts';
import type { HttpAudit } from '../admission/http-audit.ts';
import { answerWhoAmI } from '../admission/login.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import type { OpenAnswers } from '../connection/open-answers.ts';
import { sendJson } from '../message/answer.ts';
import { assertJson } from '../message/body.ts';
import type { GatewayEndpoints } from './gateway-endpoints.ts';
import type { Pages } from './pages.ts';

interface AdmittedRequestsDeps {
  tracker: Pick<Tracker, 'events' | 'metrics'>;
  gateways: Pick<CallerGateways, 'shared'>;
  quotas: Pick<HubQuotas, 'request'>;
  pages: Pages;
  callers: RequestCallers;
  endpoints: Pick<GatewayEndpoints, 'of'>;
  open: Pick<OpenAnswers, 'busy' | 'holdStream'>;
  audit: Pick<HttpAudit, 'follow'>;
  /** Answers the hub's own routes. */
  api(this: void, req: IncomingMessage, res: ServerResponse): unknown;
}

export class AdmittedRequests {
  readonly #deps: AdmittedRequestsDeps;

  constructor(deps: AdmittedRequestsDeps) {
    this.#deps = deps;
  }

  async handle(req: IncomingMessage, res: ServerResponse, pathname: string, admitted: Admitted): Promise<void> {
    const { tracker, gateways: all, quotas, pages, callers, endpoints, open, audit, api } = this.#deps;
    if (pathname === '/mcp') {
      const gateways = await callers.settledGatewaysOf(req);
      return open.busy(res, () => endpoints.of(gateways).gateway.handle(req, res));
    }
    if (pathname.startsWith('/mcp/')) {
      const id = pathname.slice('/mcp/'.length);
      // Waits whether or not there is such a server: the response time must not reveal it.
      const gateways = await callers.settledGatewaysOf(req);
      const server = callers.permissionsOf(req).sees(id) ? await gateways.single(id) : undefined;
      if (server) return open.busy(res, () => endpoints.of(gateways).single(server, id).handle(req, res));
    }
    const answered = quotas.request(callers.callerOf(req));
    whenClosed(res, answered);
    if (pathname === '/api/mcp/resource-events') {
      const permissions = callers.permissionsOf(req);
      open.holdStream(res, callers.callerOf(req));
      answered();
      const record = audit.follow(req, res, admitted);
      const answering = tracker.events.handle(req, res, (event) => seenBy(permissions, event));
      if (res.headersSent) record();
      return answering;
    }
    // The MCP endpoints check content types themselves.
    assertJson(req);
    if (await pages.serve(pathname, req, res)) return;
    audit.follow(req, res, admitted);
    if (pathname === '/metrics') return this.#metrics(req, res);
    if (pathname === '/api/whoami') return sendJson(res, 200, answerWhoAmI(admitted));
    // A user's own connections may just be opened.
    if (callers.gatewaysOf(req) !== all.shared) await callers.settledGatewaysOf(req);
    await api(req, res);
  }

  /** Metrics cover all servers, and count what the operator's own logins show. */
  async #metrics(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { tracker, callers } = this.#deps;
    callers.assertSeesAllLogins(req);
    const text = await tracker.metrics();
    res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  }
}
