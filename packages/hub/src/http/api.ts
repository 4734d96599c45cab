// The hub's own routes, for the dashboard and for scripts.
import { type Caller, type Clock, LiveError, type Log } from '@tidings/live';
import { TimeSlice } from '@tidings/live/time';
import type { Tracker } from '@tidings/track';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Permissions, PermissionsOf } from '../access/permissions.ts';
import type { HubQuotas } from '../access/hub-quotas.ts';
import { isNode } from '../access/node-principal.ts';
import type { AgentSessions } from '../agent/agent-sessions.ts';
import type { SharedSessions } from '../agent/shared-sessions.ts';
import type { GatewayDirectory } from '../gateway/gateway-directory.ts';
import type { Views } from '../gateway/view.ts';
import { type SampleData, noSamples } from '../demo/sample-data.ts';
import { answerForError, retryAfterOf } from './answer.ts';
import { bridge } from './bridge.ts';
import type { ConfigEditor } from './config-editor.ts';
import { assertNotRun } from './cross-origin.ts';
import { type ClientRoutesDeps, clientRoutes } from './client-routes.ts';
import { definitionRoutes } from './definition-routes.ts';
import type { Decided } from './http-audit.ts';
import { leftSignal } from './left-signal.ts';
import { passToNode } from './pass-to-node.ts';
import { listedResources, indexAfterAddress, shownResource } from './listed-resources.ts';
import { openApiDocument } from './openapi.ts';
import { pastEvents } from './past-events.ts';
import { eventsQuery, resourcesQuery } from './schemas.ts';
import { serverRoutes } from './server-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { versionRoutes } from './version-routes.ts';

export interface ApiOptions {
  tracker: Tracker;
  directory: GatewayDirectory;
  sessions: AgentSessions;
  sharedSessions: SharedSessions;
  views: Views;
  permissionsOf: PermissionsOf;
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
  connected: Omit<ClientRoutesDeps, 'callerOf' | 'permissionsOf'>;
  quotas: HubQuotas;
  /** Undefined if there is no configuration file. */
  editor: ConfigEditor | undefined;
  demo: SampleData;
  clock: Clock;
  log: Log;
}

export function apiRoutes({
  tracker,
  directory,
  views,
  permissionsOf,
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
  clock,
  log,
}: ApiOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const listing = { tracker, views, permissionsOf, slice: new TimeSlice(clock) };
  const permissionsFor = (req: HttpBindings['incoming']) => permissionsOf(callerOf(req));
  app.use(compress());
  app.onError((error, c) => {
    const { status, body } = answerForError(error, log);
    failed(c.env.incoming, body.error.code);
    const retryAfter = retryAfterOf(error);
    return Response.json(body, { status, ...(retryAfter && { headers: { 'Retry-After': String(retryAfter) } }) });
  });
  app.notFound((c) => {
    const message = `There is nothing at ${c.req.path}. See /api/servers, /api/resources, /api/events, /resources/… and /mcp.`;
    return c.json({ error: { code: 'RESOURCE_NOT_FOUND', message } }, 404);
  });

  // What only the node has that tracks the server.
  for (const path of ['/api/servers/:id', '/api/servers/:id/:part']) {
    app.use(path, async (c, next) => {
      const permissions = permissionsFor(c.env.incoming);
      const node = isNode(callerOf(c.env.incoming)) ? undefined : tracker.otherWith(c.req.param('id') ?? '');
      // A limited caller is refused, or gets "no such route", as for a server that does not exist.
      if (node === undefined || !permissions.isWhole) return next();
      return passToNode(c, node);
    });
  }

  serverRoutes(app, {
    tracker,
    editor,
    permissionsFor,
    assertWhole: (req) => assertWhole(permissionsFor(req)),
    decided,
  });

  app.get('/api/resources', async (c) => {
    const { server, q, after, limit } = resourcesQuery.parse(c.req.query());
    const found = await listedResources(listing, callerOf(c.env.incoming), { server, q });
    const start = after === undefined ? 0 : indexAfterAddress(found, after);
    const page = found.slice(start, start + limit).map(shownResource);
    const hasMore = start + page.length < found.length;
    return c.json({
      resources: page,
      total: found.length,
      next_cursor: hasMore ? (page.at(-1)?.address ?? null) : null,
    });
  });

  app.get('/api/events', async (c) => {
    const query = eventsQuery.parse(c.req.query());
    const { journal } = tracker;
    return c.json(await pastEvents({ journal, slice: listing.slice }, permissionsFor(c.env.incoming), query));
  });

  // The available samples depend on the configured servers.
  app.get('/api/demo', (c) => {
    const { offers, isLoaded, isChanging } = permissionsFor(c.env.incoming).isWhole ? demo : noSamples;
    return c.json({ offers, loaded: isLoaded, changing: isChanging });
  });

  app.post('/api/demo', async (c) => {
    assertWhole(permissionsFor(c.env.incoming));
    return c.json({ loaded: await demo.load() });
  });

  sessionRoutes(app, sessions, {
    assertWhole: (req) => assertWhole(permissionsFor(req)),
    holdStream: ({ incoming, outgoing }) => holdStream(incoming, outgoing),
    holdSession: (req) => quotas.hold(callerOf(req), 'agentSessions', 1),
    shared: sharedSessions,
    isFromNode: (req) => isNode(callerOf(req)),
    clock,
  });
  app.get('/api/openapi.json', (c) => c.json(openApiDocument()));

  clientRoutes(app, { ...connected, callerOf, permissionsOf });
  versionRoutes(app, { directory, callerOf, keepUnread });
  definitionRoutes(app, tracker, (req) => assertWhole(permissionsFor(req)), decided);

  // Hono answers HEAD like GET, without the body.
  app.get('/resources/:uri{.+}', async (c) => {
    assertNotRun(c.env.incoming);
    // The raw path: a slash in it may be encoded or not.
    const { pathname } = new URL(c.req.url);
    // Hono decodes escaped letters of the route.
    if (!pathname.startsWith('/resources/')) return c.notFound();
    const encoded = pathname.slice('/resources/'.length);
    const asked = { encoded, server: c.req.query('server'), left: leftSignal(c.env.outgoing) };
    const { body, type, etag } = await bridge(directory, callerOf(c.env.incoming), asked);
    const headers = {
      'Content-Type': type,
      ETag: etag,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': resourcePolicy,
    };
    if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    keepUnread(c.env.outgoing, body.length);
    return c.body(Uint8Array.from(body), 200, headers);
  });
  return app;
}

/** A resource that is a web page must not run with the hub's origin, nor send requests. */
const resourcePolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; frame-ancestors 'self'";

/** A weak ETag is the same content after compression. */
function isKnown(header: string | undefined, etag: string): boolean {
  const known = new Set((header ?? '').split(',').map((each) => each.trim().replace(/^W\//, '')));
  return known.has(etag) || known.has('*');
}

/** For routes that show everything, or change something for all callers. */
export function assertWhole({ isWhole }: Permissions): void {
  if (isWhole) return;
  throw new LiveError('PERMISSION_DENIED', 'Your token is limited; this needs an unlimited one.');
}
