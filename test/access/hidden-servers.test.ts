// A server that is hidden from a caller is treated like one that does not exist: same status and same text, on every
// way on which a caller can name a server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rpcRequest } from '../support/wire/raw-http.ts';
import { type Principal, targets, telephone } from './cells.ts';
import { type Answer, type World, openWorld } from './world.ts';

/** Words that must not occur in any response to a caller, except in those that quote the request. */
const hidden: Partial<Record<Principal, { servers: readonly string[]; words: readonly RegExp[] }>> = {
  allow: { servers: ['secret'], words: [/secret/, /salaries/, /corp\/private/] },
  redact: { servers: ['secret', 'docs'], words: [/secret/, /docs/, new RegExp(telephone.slice(1))] },
  both: { servers: ['secret', 'docs'], words: [/secret/, /docs/, new RegExp(telephone.slice(1))] },
  bound: { servers: ['secret', 'vcon'], words: [/secret/, /vcon/] },
  issued: { servers: ['secret', 'vcon'], words: [/secret/, /vcon/] },
};
const callers = (['allow', 'redact', 'both', 'bound', 'issued'] as const).flatMap((who) => {
  const { servers = [], words = [] } = hidden[who] ?? {};
  return servers.map((server) => ({ who, server, words }));
});

/** A name of the same length as the server's, so that lengths of responses can be compared. */
const nobody = (server: string) => 'nobody-there'.slice(0, server.length);
const json = { 'content-type': 'application/json' };
const schemes: Record<string, string> = {
  secret: 'secret://corp/public/keys',
  docs: 'docs://corp/x',
  vcon: 'vcon://v1/x',
};

/** Requests that name a server, or a URI of one. */
const questions: Record<string, (world: World, who: Principal, server: string, uri: string) => Promise<Answer>> = {
  'POST /mcp/{id}': (world, who, server) => world.rpc(who, 'modern', `/mcp/${server}`, 'resources/list'),
  'POST /mcp/{id} of the 2025 era': (world, who, server) =>
    world.rpc(who, 'legacy', `/mcp/${server}`, 'resources/list'),
  'GET /mcp/{id}': (world, who, server) => world.http(who, `/mcp/${server}`),
  'DELETE /mcp/{id}': (world, who, server) => world.http(who, `/mcp/${server}`, { method: 'DELETE' }),
  'a plain URI': (world, who, _server, uri) => world.http(who, `/resources/${encodeURIComponent(uri)}`),
  'an address': (world, who, server, uri) =>
    world.http(who, `/resources/${encodeURIComponent(`tidings://${server}/${encodeURIComponent(uri)}`)}`),
  '?server=': (world, who, server, uri) => world.http(who, `/resources/${encodeURIComponent(uri)}?server=${server}`),
  'reading a plain URI': (world, who, _server, uri) => world.rpc(who, 'modern', '/mcp', 'resources/read', { uri }),
  'reading an address': (world, who, server, uri) =>
    world.rpc(who, 'legacy', '/mcp', 'resources/read', { uri: `tidings://${server}/${encodeURIComponent(uri)}` }),
  subscribing: (world, who, _server, uri) => world.rpc(who, 'legacy', '/mcp', 'resources/subscribe', { uri }),
  'subscribing to an address': (world, who, server, uri) =>
    world.rpc(who, 'legacy', '/mcp', 'resources/subscribe', { uri: `tidings://${server}/${encodeURIComponent(uri)}` }),
  waiting: (world, who, server, uri) => {
    const uris = [`tidings://${server}/${encodeURIComponent(uri)}`];
    return world.rpc(who, 'modern', '/mcp', 'tools/call', {
      name: 'wait_for_change',
      arguments: { uris, timeout_seconds: 0.001 },
    });
  },
  'completing a template': (world, who, server) => {
    const ref = { type: 'ref/resource', uri: `${server}://corp/{+path}` };
    return world.rpc(who, 'modern', '/mcp', 'completion/complete', { ref, argument: { name: 'path', value: '' } });
  },
  'completing a prompt': (world, who, server) => {
    const ref = { type: 'ref/prompt', name: `${server}_about` };
    return world.rpc(who, 'modern', '/mcp', 'completion/complete', { ref, argument: { name: 'path', value: '' } });
  },
  'calling a tool': (world, who, server) =>
    world.rpc(who, 'modern', '/mcp', 'tools/call', { name: `${server}_search`, arguments: {} }),
  'getting a prompt': (world, who, server) =>
    world.rpc(who, 'modern', '/mcp', 'prompts/get', { name: `${server}_about`, arguments: { path: 'x' } }),
  '/api/resources?server=': (world, who, server) => world.http(who, `/api/resources?server=${server}`),
  '/api/events?server=': (world, who, server) => world.http(who, `/api/events?server=${server}&last=1000`),
  'PATCH /api/servers/{id}': (world, who, server) =>
    world.http(who, `/api/servers/${server}`, { method: 'PATCH', headers: json, body: '{"tracked":false}' }),
};

/** Requests that name no server. */
const tellings: Record<string, (world: World, who: Principal) => Promise<Answer>> = {
  ...Object.fromEntries(
    [
      '/',
      '/api/servers',
      '/api/resources?limit=1000',
      '/api/events?limit=1000',
      '/api/events?last=1000',
      '/metrics',
      '/api/sessions',
      '/api/whoami',
      '/api/demo',
    ].map((path) => [path, (world: World, who: Principal) => world.http(who, path)]),
  ),
  ...Object.fromEntries(
    ['resources/list', 'resources/templates/list', 'tools/list', 'prompts/list'].flatMap((method) =>
      (['modern', 'legacy'] as const).map((era) => [
        `${method}, ${era}`,
        (world: World, who: Principal) => world.rpc(who, era, '/mcp', method),
      ]),
    ),
  ),
  'server/discover': (world, who) => world.rpc(who, 'modern', '/mcp', 'server/discover'),
  initialize: (world, who) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const { headers, body } = rpcRequest('legacy', 'initialize', params);
    return world.http(who, '/mcp', { method: 'POST', headers, body: JSON.stringify(body) });
  },
  list_changes: (world, who) =>
    world.rpc(who, 'modern', '/mcp', 'tools/call', { name: 'list_changes', arguments: { since: world.start } }),
};

describe('a hidden server', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it.each(callers)('is, for $who, like a server that does not exist: $server', async ({ who, server }) => {
    const uri = schemes[server] ?? '';
    for (const [name, ask] of Object.entries(questions)) {
      const other = nobody(server);
      const renamed = (text: string) =>
        text.replaceAll(server, other).replaceAll(/"(id|cursor|timestamp)":("[^"]*"|\d+)/g, '');
      const real = await ask(world, who, server, uri);
      const none = await ask(world, who, other, uri.replace(server, other));
      expect([real.status, renamed(real.text)], name).toEqual([none.status, renamed(none.text)]);
    }
    expect(world.hub.status(server)?.tracked).toBe(true);
  });

  it.each(callers)('is mentioned in no response to $who: $server', async ({ who, words }) => {
    for (const [name, ask] of Object.entries(tellings)) {
      const { text } = await ask(world, who);
      for (const word of words) expect(text, name).not.toMatch(word);
    }
    for (const word of words) expect(JSON.stringify(world.streams.get(who)?.frames)).not.toMatch(word);
  });

  it('is available to a caller without limits', async () => {
    const { text } = await world.rpc('whole', 'modern', '/mcp', 'server/discover');
    expect(text).toContain('example.com/secret-search');
    for (const { server, uri } of targets) {
      expect((await world.http('whole', `/resources/${encodeURIComponent(uri)}?server=${server}`)).status).toBe(200);
    }
  });
});
