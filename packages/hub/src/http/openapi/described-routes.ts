// Every route of the hub with its parameters and answers: the content of `GET /api/openapi.json`. A test compares it
// with the routes in the sources.
import {
  addedServer,
  attachRequest,
  clientsAnswer,
  definitionsAnswer,
  eventsAnswer,
  requestedPattern,
  resourcesAnswer,
  samplesLoaded,
  samplesOffered,
  pingAnswer,
  serverLog,
  serverPatch,
  serverStatus,
  serversAnswer,
  sessionStatus,
  sessionsAnswer,
  streamEvent,
  transcriptAnswer,
  transcriptEntry,
  versionAnswer,
  versionsAnswer,
  whoAmI,
} from '@tidings/client/contract';
import { z } from 'zod';
import { hookBody } from '../../hook/hook-body.ts';
import { hookQuery } from '../../hook/hook-selection.ts';
import { definitionsQuery, eventsQuery, resourcesQuery, trustSchema, versionsQuery } from './schemas.ts';
import { describedLoginRoutes } from './described-login-routes.ts';
import { describedMcpRoutes } from './described-mcp-routes.ts';
import { describedResourceRoutes } from './described-resource-routes.ts';
import { type DescribedRoute, empty, jsonContent, lastEventId, ok, taken } from './described-route.ts';

const streamQuery = z.object({ server: z.string(), uri: requestedPattern, after: z.string() }).partial();
const resourceQuery = z.object({ server: z.string() }).partial();
const status = z.object({ status: z.string() });
const loginForm = z.object({ token: z.string() });

export const describedRoutes: readonly DescribedRoute[] = [
  {
    method: 'get',
    path: '/',
    summary: 'The dashboard',
    answers: { 200: { description: 'A web page', content: { 'text/html': z.string() } } },
  },
  ...describedMcpRoutes('/mcp', 'All servers as one'),
  ...describedMcpRoutes('/mcp/{id}', 'One server, under its own names'),
  {
    method: 'get',
    path: '/api/mcp/resource-events',
    summary: 'The event stream: a handshake, then every event of the journal as it happens',
    query: streamQuery,
    headers: lastEventId,
    answers: { 200: { description: 'Server-sent events', content: { 'text/event-stream': streamEvent } } },
  },
  {
    method: 'get',
    path: '/resources/{uri}',
    summary: 'The content of one resource, with its own media type; the URI is percent-encoded',
    query: resourceQuery,
    headers: { 'If-None-Match': 'An ETag: the answer is 304 where the content still is the same.' },
    answers: {
      200: { description: 'The content', content: { '*/*': z.string() } },
      304: empty('The content has not changed'),
    },
  },
  {
    method: 'get',
    path: '/api/servers',
    summary: 'The state of every server',
    answers: ok('The servers', serversAnswer),
  },
  {
    method: 'post',
    path: '/api/servers',
    summary: 'Adds a server that is reached over HTTP to the configuration file',
    body: taken(addedServer),
    answers: { 201: { description: 'The server', content: jsonContent(serverStatus) } },
  },
  {
    method: 'patch',
    path: '/api/servers/{id}',
    summary: 'Switches tracking on or off; enables or disables the server, in the configuration file',
    body: taken(serverPatch),
    answers: ok('The server', serverStatus),
  },
  {
    method: 'delete',
    path: '/api/servers/{id}',
    summary: 'Removes a server from the configuration file',
    answers: { 204: empty('It is removed') },
  },
  {
    method: 'post',
    path: '/api/servers/{id}/restart',
    summary: 'Reconnects to a server, with a new process if the hub starts it',
    answers: ok('The server', serverStatus),
  },
  {
    method: 'post',
    path: '/api/servers/{id}/ping',
    summary: 'Sends a request to a server that it answers at once, and measures how long that takes',
    answers: ok('How many milliseconds it took', pingAnswer),
  },
  {
    method: 'get',
    path: '/api/servers/{id}/log',
    summary: 'The last 200 lines that a server started by the hub wrote on stderr',
    answers: ok('The lines', serverLog),
  },
  {
    method: 'get',
    path: '/api/servers/{id}/definitions',
    summary: 'The changed definitions of a pinned server that wait for consent',
    query: definitionsQuery,
    answers: ok('The definitions', definitionsAnswer),
  },
  {
    method: 'post',
    path: '/api/servers/{id}/trust',
    summary: 'Agrees to changed definitions',
    body: taken(trustSchema),
    answers: ok('The definitions that still wait', definitionsAnswer),
  },
  ...describedLoginRoutes,
  {
    method: 'get',
    path: '/api/resources',
    summary: 'The listed resources of all servers, by page',
    query: resourcesQuery,
    answers: ok('A page of resources', resourcesAnswer),
  },
  {
    method: 'get',
    path: '/api/clients',
    summary: 'The MCP clients: what each watches and has read; a limited token sees its own',
    answers: ok('The clients', clientsAnswer),
  },
  {
    method: 'post',
    path: '/hooks/{host}',
    summary: "Answers a host's hook (claude-code, codex, vscode, cursor, gemini): what changed since it was last told",
    query: hookQuery,
    body: taken(hookBody),
    answers: ok('In the form of the host; empty if there is nothing to say', z.record(z.string(), z.unknown())),
  },
  {
    method: 'get',
    path: '/api/versions',
    summary: 'The kept versions of a tracked resource; with `version`, one of them with its contents',
    query: versionsQuery,
    answers: ok('The versions, or the chosen one', z.union([versionsAnswer, versionAnswer])),
  },
  {
    method: 'get',
    path: '/api/events',
    summary: 'Past events of the journal, after a cursor or the newest',
    query: eventsQuery,
    answers: ok('A page of events', eventsAnswer),
  },
  {
    method: 'get',
    path: '/api/sessions',
    summary: 'The agent sessions',
    answers: ok('The sessions; the built-in transcript comes first', sessionsAnswer),
  },
  {
    method: 'post',
    path: '/api/sessions',
    summary: 'Attaches an agent session',
    body: taken(attachRequest),
    answers: { 201: { description: 'The session', content: jsonContent(sessionStatus) } },
  },
  {
    method: 'delete',
    path: '/api/sessions/{id}',
    summary: 'Detaches an agent session',
    answers: { 204: empty('The session is detached') },
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/transcript',
    summary: 'The messages sent to an agent session; a stream where `text/event-stream` is accepted',
    headers: lastEventId,
    answers: {
      200: {
        description: 'The entries',
        content: { 'application/json': transcriptAnswer, 'text/event-stream': transcriptEntry },
      },
    },
  },
  {
    method: 'get',
    path: '/api/demo',
    summary: 'The sample data that can be loaded',
    answers: ok('How much there is, whether it was loaded, and whether a demo keeps changing it', samplesOffered),
  },
  {
    method: 'post',
    path: '/api/demo',
    summary: 'Loads the sample data, once',
    answers: ok('How much was loaded', samplesLoaded),
  },
  {
    method: 'get',
    path: '/api/whoami',
    summary: "The request's token, and until when a browser is logged in",
    answers: ok('The caller', whoAmI),
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document',
    answers: ok('An OpenAPI 3.1 document', z.looseObject({ openapi: z.string() })),
  },
  {
    method: 'get',
    path: '/login',
    summary: 'The form in which a browser enters its token',
    isOpen: true,
    answers: { 200: { description: 'A web page', content: { 'text/html': z.string() } } },
  },
  {
    method: 'post',
    path: '/login',
    summary: 'Exchanges a token for a session cookie',
    isOpen: true,
    body: { type: 'application/x-www-form-urlencoded', schema: loginForm },
    answers: { 303: empty('Logged in; the cookie is set') },
  },
  {
    method: 'post',
    path: '/logout',
    summary: 'Ends the session of the cookie',
    isOpen: true,
    answers: { 204: empty('Logged out') },
  },
  {
    method: 'get',
    path: '/healthz',
    summary: 'Whether the process is alive',
    isOpen: true,
    answers: ok('It is', status),
  },
  ...describedResourceRoutes,
  {
    method: 'get',
    path: '/readyz',
    summary: 'Whether the hub can be used',
    isOpen: true,
    answers: {
      ...ok('It can', status),
      503: { description: 'It is starting or stopping', content: jsonContent(status) },
    },
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    answers: { 200: { description: 'The text format of Prometheus', content: { 'text/plain': z.string() } } },
  },
];
