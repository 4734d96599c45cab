// The ways that test the methods of the protocol and the routes of the hub. A test compares these tables with the sources.
import { taskMethods } from './mcp-ways.ts';

/** The way that tests each method of the protocol; methods that servers send are not in the matrix. */
export const rowOfMethod: Readonly<Record<string, string>> = {
  'completion/complete': 'completion of a template, modern /mcp',
  initialize: 'capabilities, legacy /mcp',
  'logging/setLevel': 'logging/setLevel, legacy /mcp',
  ping: 'ping, legacy /mcp',
  'prompts/get': 'prompts/get, modern /mcp',
  'prompts/list': 'prompts/list, modern /mcp',
  'resources/list': 'resources/list, modern /mcp',
  'resources/read': 'read, modern /mcp',
  'resources/subscribe': 'subscribe, legacy /mcp',
  'resources/templates/list': 'resources/templates/list, modern /mcp',
  // It only ends the caller's own subscription.
  'resources/unsubscribe': 'subscribe, legacy /mcp',
  'server/discover': 'capabilities, modern /mcp',
  'subscriptions/listen': 'subscribe, modern /mcp',
  ...Object.fromEntries(taskMethods.map((method) => [method, `${method}, modern /mcp`])),
  'tools/call': 'tools/call (tool), modern /mcp',
  'tools/list': 'tools/list (tool), modern /mcp',
};

/** The way that tests each route of the sources; routes without authentication are not in the matrix. */
export const rowOfRoute: Readonly<Record<string, string>> = {
  'get /api/servers': '/api/servers',
  'post /api/servers': 'POST /api/servers',
  'delete /api/servers/:id': 'DELETE /api/servers/{id}',
  'patch /api/servers/:id': 'PATCH /api/servers/{id}',
  'post /api/servers/:id/restart': 'POST /api/servers/{id}/restart',
  'post /api/servers/:id/ping': 'POST /api/servers/{id}/ping',
  'get /api/servers/:id/log': '/api/servers/{id}/log',
  'get /api/servers/:id/definitions': '/api/servers/{id}/definitions',
  'post /api/servers/:id/trust': 'POST /api/servers/{id}/trust',
  'get /api/clients': '/api/clients',
  'get /api/logins': 'GET /api/logins',
  'post /api/logins/:id': 'POST /api/logins/{id}',
  'post /api/logins/:id/callback': 'POST /api/logins/{id}/callback',
  'delete /api/logins/:id': 'DELETE /api/logins/{id}',
  'get /api/resources': '/api/resources',
  'get /api/versions': '/api/versions?uri=',
  'get /api/events': '/api/events',
  'post /hooks/:host': 'POST /hooks/{host}?server=&uri=',
  'get /api/demo': 'GET /api/demo',
  'post /api/demo': 'POST /api/demo',
  'get /resources/:uri{.+}': '/resources/{uri}',
  '/resources/': '/resources/{uri}',
  'get /api/sessions': '/api/sessions',
  'post /api/sessions': 'POST /api/sessions',
  'delete /api/sessions/:id': 'DELETE /api/sessions/{id}',
  'get /api/sessions/:id/transcript': 'a transcript',
  '/mcp': 'read, modern /mcp',
  '/mcp/': 'read, modern /mcp/{id}',
  '/api/mcp/resource-events': 'the event stream',
  '/metrics': '/metrics',
  '/api/whoami': 'GET /api/whoami',
  'get /api/openapi.json': 'GET /api/openapi.json',
};
