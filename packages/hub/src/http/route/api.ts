// The hub's own routes, for the dashboard and for scripts.
import type { Caller, Clock, Log } from '@tidings/live';
import { TimeSlice } from '@tidings/live/time';
import type { Tracker } from '@tidings/track';
import type { UserLogins } from '@tidings/track/internal';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { HubQuotas } from '../../access/hub-quotas.ts';
import { isNode } from '../../access/node-principal.ts';
import type { AgentSessions } from '../../agent/agent-sessions.ts';
import type { SharedSessions } from '../../agent/shared-sessions.ts';
import type { CallerGateways } from '../../gateway/caller-gateways.ts';
import type { Views } from '../../gateway/view.ts';
import type { SampleData } from '../../demo/sample-data.ts';
import type { Hooks } from '../../hook/hooks.ts';
import { answerForError, closingHeader, retryAfterOf } from '../message/answer.ts';
import { assertOperator, assertWhole } from './assert-whole.ts';
import type { ConfigEditor } from './config-editor.ts';
import { type ClientRoutesDeps, clientRoutes } from './client-routes.ts';
import { definitionRoutes } from './definition-routes.ts';
import { demoRoutes } from './demo-routes.ts';
import { hookRoutes } from './hook-routes.ts';
import type { Decided } from '../admission/http-audit.ts';
import { loginRoutes } from './login-routes.ts';
import { passToNode } from '../node/pass-to-node.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { pastEvents } from './past-events.ts';
import { resourceRoutes } from './resource-routes.ts';
import { eventsQuery } from '../openapi/schemas.ts';
import { serverRoutes } from './server-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { versionRoutes } from './version-routes.ts';
import { json } from '../message/json.ts';

export interface ApiOptions {
  tracker: Tracker;
  gateways: CallerGateways;
  userLogins: UserLogins;
  sessions: AgentSessions;
  sharedSessions: SharedSessions;
  hooks: Hooks;
  views: Views;
  /** The caller of an admitted request. */
  callerOf(this: void, req: HttpBindings['incoming']): Caller;
  /** Records a decision of a caller, in addition to the request itself. */
  decided: Decided;
  /** Notes why a request fails. */
  failed(this: void, req: HttpBindings['incoming'], code: string): void;
  /** Counts a response as an open stream of its caller, until it is closed. */
  holdStream(this: void, req: HttpBindings['incoming'], res: HttpBindings['outgoing']): void;
  /** Counts so many bytes as unread by the caller, until the response is closed. Throws if there are too many. */
  keepUnread(this: void, res: HttpBindings['outgoing'], bytes: number): void;
  /** Who is connected, for `/api/clients`. */
  connected: Omit<ClientRoutesDeps, 'callerOf' | 'gateways'>;
  quotas: HubQuotas;
  /** Undefined if there is no configuration file. */
  editor: ConfigEditor | undefined;
  demo: SampleData;
  clock: Clock;
  log: Log;
}

export function apiRoutes({
  tracker,
  gateways,
  userLogins,
  views,
  callerOf,
  decided,
  failed,
  holdStream,
  keepUnread,
  connected,
  quotas,
  editor,
  demo,
  sessions,
  sharedSessions,
  hooks,
  clock,
  log,
}: ApiOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const listing = { gateways, views, slice: new TimeSlice(clock) };
  const gatewaysFor = (req: HttpBindings['incoming']) => gateways.of(callerOf(req));
  const permissionsFor = (req: HttpBindings['incoming']) => gateways.permissionsOf(callerOf(req));
  /**
   * What is told to agent sessions includes what the operator's own logins show. A server with logins per user that is
   * removed, and added again without them, is reached with the operator's login.
   */
  const assertAllLogins = (req: HttpBindings['incoming']) => {
    const permissions = permissionsFor(req);
    assertWhole(permissions);
    if (gateways.hasSecrets) assertOperator(permissions);
  };
  const assertUnlimited = (req: HttpBindings['incoming']) => assertWhole(permissionsFor(req));
  app.use(compress());
  app.onError((error, c) => {
    const { status, body } = answerForError(error, log);
    failed(c.env.incoming, body.error.code);
    const retryAfter = retryAfterOf(error);
    const headers = { ...closingHeader(c.env.incoming), ...(retryAfter && { 'Retry-After': String(retryAfter) }) };
    return json(body, status, headers);
  });
  app.notFound((c) => {
    const message = `There is nothing at ${c.req.path}. See /api/servers, /api/resources, /api/events, /resources/… and /mcp.`;
    return json({ error: { code: 'RESOURCE_NOT_FOUND', message } }, 404);
  });

  // Only the node that tracks the server can answer these.
  for (const path of ['/api/servers/:id', '/api/servers/:id/:part']) {
    app.use(path, async (c, next) => {
      const permissions = permissionsFor(c.env.incoming);
      const id = c.req.param('id') ?? '';
      // A user's own connection is at this node.
      const isHere = isNode(callerOf(c.env.incoming)) || gatewaysFor(c.env.incoming).find(id)?.user !== undefined;
      const node = isHere ? undefined : tracker.otherWith(id);
      // A limited caller is refused, or gets "no such route", as for a server that does not exist.
      if (node === undefined || !permissions.isWhole) return next();
      return passToNode(c, node);
    });
  }

  serverRoutes(app, {
    tracker,
    editor,
    gatewaysFor,
    permissionsFor,
    assertWhole: assertUnlimited,
    assertMayEdit: assertAllLogins,
    decided,
  });
  loginRoutes(app, { userLogins, gateways, callerOf, decided });

  app.get('/api/events', async (c) => {
    const query = eventsQuery.parse(c.req.query());
    const { journal } = tracker;
    return json(await pastEvents({ journal, slice: listing.slice }, permissionsFor(c.env.incoming), query));
  });

  demoRoutes(app, demo, permissionsFor);
  sessionRoutes(app, sessions, {
    assertWhole: assertAllLogins,
    holdStream: ({ incoming, outgoing }) => holdStream(incoming, outgoing),
    holdSession: (req) => quotas.hold(callerOf(req), 'agentSessions', 1),
    shared: sharedSessions,
    isFromNode: (req) => isNode(callerOf(req)),
    clock,
  });
  app.get('/api/openapi.json', () => json(openApiDocument()));

  clientRoutes(app, { ...connected, callerOf, gateways });
  resourceRoutes(app, { listing, gatewaysFor, callerOf, keepUnread });
  hookRoutes(app, { hooks, callerOf, keepUnread });
  versionRoutes(app, { gatewaysFor, callerOf, keepUnread });
  definitionRoutes(app, { tracker, gatewaysFor, assertWhole: assertUnlimited, decided });
  return app;
}
