// The hub's own routes, for the dashboard and for scripts.
import type { Clock, Log } from '@tidings/live';
import { TimeSlice } from '@tidings/live/time';
import type { Tracker } from '@tidings/track';
import type { UserLogins } from '@tidings/track/internal';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { HubQuotas } from '../../access/hub-quotas.ts';
import { isNode } from '../../access/node-principal.ts';
import type { AgentSessions } from '../../agent/agent-sessions.ts';
import type { SharedSessions } from '../../agent/shared-sessions.ts';
import type { CallerGateways } from '../../gateway/caller-gateways.ts';
import type { Views } from '../../gateway/view.ts';
import type { SampleData } from '../../demo/sample-data.ts';
import type { Hooks } from '../../hook/hooks.ts';
import type { HttpAudit } from '../admission/http-audit.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import type { KnownClients } from '../connection/known-clients.ts';
import type { OpenAnswers } from '../connection/open-answers.ts';
import { answerForError, closingHeader, retryAfterOf } from '../message/answer.ts';
import { compression } from '../message/compression.ts';
import { json } from '../message/json.ts';
import { passToNode } from '../node/pass-to-node.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { eventsQuery } from '../openapi/schemas.ts';
import { clientRoutes } from './client-routes.ts';
import type { ConfigEditor } from './config-editor.ts';
import { definitionRoutes } from './definition-routes.ts';
import { demoRoutes } from './demo-routes.ts';
import type { GatewayEndpoints } from './gateway-endpoints.ts';
import { hookRoutes } from './hook-routes.ts';
import { loginRoutes } from './login-routes.ts';
import { pastEvents } from './past-events.ts';
import { resourceRoutes } from './resource-routes.ts';
import { serverRoutes } from './server-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { versionRoutes } from './version-routes.ts';

/** The parts of the hub that the routes show and change. */
export interface ApiParts {
  tracker: Tracker;
  gateways: CallerGateways;
  views: Views;
  userLogins: UserLogins;
  sessions: AgentSessions;
  sharedSessions: SharedSessions;
  hooks: Hooks;
  quotas: HubQuotas;
  /** Undefined if there is no configuration file. */
  editor: ConfigEditor | undefined;
  demo: SampleData;
  clock: Clock;
  log: Log;
}

/** The parts of the HTTP server that know the requests. */
export interface RequestParts {
  callers: RequestCallers;
  open: OpenAnswers;
  audit: HttpAudit;
  clients: KnownClients;
  endpoints: GatewayEndpoints;
}

type App = Hono<{ Bindings: HttpBindings }>;

export function apiRoutes(parts: ApiParts, requests: RequestParts): App {
  const { tracker, gateways, views, clock } = parts;
  const { callers } = requests;
  const all = { ...parts, ...requests };
  const app: App = new Hono();
  const slice = new TimeSlice(clock);
  app.use(compression());
  answerErrors(app, all);
  passToOwner(app, all);
  serverRoutes(app, all);
  loginRoutes(app, all);
  app.get('/api/events', async (c) => {
    const query = eventsQuery.parse(c.req.query());
    const { journal } = tracker;
    return json(await pastEvents({ journal, slice }, callers.permissionsOf(c.env.incoming), query));
  });
  demoRoutes(app, all);
  sessionRoutes(app, all);
  app.get('/api/openapi.json', () => json(openApiDocument()));
  clientRoutes(app, all);
  resourceRoutes(app, { ...requests, listing: { gateways, views, slice } });
  hookRoutes(app, all);
  versionRoutes(app, all);
  definitionRoutes(app, all);
  return app;
}

function answerErrors(app: App, { audit, log }: Pick<RequestParts, 'audit'> & Pick<ApiParts, 'log'>): void {
  app.onError((error, c) => {
    const { status, body } = answerForError(error, log);
    audit.failed(c.env.incoming, body.error.code);
    const retryAfter = retryAfterOf(error);
    const headers = { ...closingHeader(c.env.incoming), ...(retryAfter && { 'Retry-After': String(retryAfter) }) };
    return json(body, status, headers);
  });
  app.notFound((c) => {
    const message = `There is nothing at ${c.req.path}. See /api/servers, /api/resources, /api/events, /resources/… and /mcp.`;
    return json({ error: { code: 'RESOURCE_NOT_FOUND', message } }, 404);
  });
}

/** Only the node that tracks a server can answer for it. */
function passToOwner(app: App, { tracker, callers }: Pick<ApiParts, 'tracker'> & Pick<RequestParts, 'callers'>): void {
  for (const path of ['/api/servers/:id', '/api/servers/:id/:part']) {
    app.use(path, async (c, next) => {
      const { incoming } = c.env;
      const id = c.req.param('id') ?? '';
      // A user's own connection is at this node.
      const isHere = isNode(callers.callerOf(incoming)) || callers.gatewaysOf(incoming).find(id)?.user !== undefined;
      const node = isHere ? undefined : tracker.otherWith(id);
      // A limited caller is refused, or gets "no such route", as for a server that does not exist.
      if (node === undefined || !callers.permissionsOf(incoming).isWhole) return next();
      // The other node answers as to the operator, so what only the operator may do is decided here.
      if (c.req.method === 'DELETE') callers.assertSeesAllLogins(incoming);
      return passToNode(c, node, callers.callerOf(incoming));
    });
  }
}
