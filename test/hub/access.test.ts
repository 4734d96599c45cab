// Access to the hub: which requests are admitted, and what each token sees and is notified of.
import { liveServer } from '@tidings/live';
import { eventually, told } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { lenientServer } from '../access/lenient-server.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const routes = [
  '/',
  '/api/servers',
  '/api/resources',
  '/api/events',
  '/api/mcp/resource-events',
  '/metrics',
  '/resources/note%3A%2F%2Fa',
];
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function closedHub(): Promise<RunningHub & { upstream: NotesUpstream; secret: NotesUpstream }> {
  const upstream = await NotesUpstream.start('modern');
  const secret = await NotesUpstream.start('legacy', 'secret');
  upstream.put('a', 'for all');
  upstream.put('b', 'not for the reader');
  secret.put('x', 'for nobody else');
  const hub = await runningHub({
    servers: [upstream.entry('notes'), secret.entry('secret')],
    config: { tokens: [{ env: 'READER', allow: ['note://a*'] }] },
    token: 'whole',
    env: { READER: 'part' },
  });
  await hub.isLive('notes', 'secret');
  return {
    ...hub,
    upstream,
    secret,
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      await secret[Symbol.asyncDispose]();
    },
  };
}

describe('a hub with tokens', () => {
  it('refuses requests without one, but answers health checks', async () => {
    await using hub = await closedHub();
    for (const route of [...routes, '/mcp', '/mcp/notes', '/nothing']) {
      const answer = await hub.get(route);
      expect(answer.status, route).toBe(401);
      expect(answer.headers.get('www-authenticate'), route).toBe('Bearer');
      expect(await answer.json(), route).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
      expect((await hub.get(route, bearer('wrong'))).status, route).toBe(401);
    }
    expect((await hub.get('/healthz')).status).toBe(200);
    expect((await hub.get('/readyz')).status).toBe(200);
  });

  it('shows a limited token only its resources, on every route', async () => {
    await using hub = await closedHub();
    const reader = bearer('part');
    expect(await hub.json('/api/resources', reader)).toMatchObject({ total: 1, resources: [{ uri: 'note://a' }] });
    expect((await hub.get('/resources/note%3A%2F%2Fa', reader)).status).toBe(200);
    expect((await hub.get('/resources/note%3A%2F%2Fb', reader)).status).toBe(403);
    expect((await hub.get('/resources/tidings%3A%2F%2Fnotes%2Fnote%253A%252F%252Fb', reader)).status).toBe(403);
    for (const era of ['modern', 'legacy'] as const) {
      const client = await hub.connect(era, '/mcp', 'part');
      expect(await client.listAll()).toEqual(['note://a']);
      await expect(client.read('note://b')).rejects.toMatchObject({ data: { code: 'PERMISSION_DENIED' } });
      await expect(client.read('secret://x')).rejects.toMatchObject({ data: { code: 'PERMISSION_DENIED' } });
      expect(await client.call('notes_put_note', { name: 'a', text: 'taken over' }).catch(String)).not.toContain(
        'saved',
      );
      expect((await client.subscribe('note://a', 'note://b')).honored).toEqual(['note://a']);
      await client.close();
    }
  });

  it('refuses a spelling of a URI that a server would read as another URI', async () => {
    await using docs = await lenientServer('docs', { 'public/a': 'for all', 'private/b': 'for some' });
    await using hub = await runningHub({
      servers: [docs.entry],
      config: { tokens: [{ env: 'READER', allow: ['docs://corp/public/**'] }] },
      token: 'whole',
      env: { READER: 'part' },
    });
    await hub.isLive('docs');
    const read = async (path: string, token: string) => {
      const uri = encodeURIComponent(`docs://corp/public/${path}`);
      return (await hub.get(`/resources/${uri}`, bearer(token))).text();
    };
    expect(await read('a', 'part')).toContain('for all');
    for (const path of ['../private/b', '%2e%2e/private/b', '%252e%252e%252fprivate/b', '..\\private\\b']) {
      // Without the hub's check, the server would return the document for these spellings.
      expect(await read(path, 'whole'), path).toContain('for some');
      expect(await read(path, 'part'), path).toContain('PERMISSION_DENIED');
    }
  });

  it('notifies a limited token only of its resources', async () => {
    await using hub = await closedHub();
    const events = await SseClient.open(`${hub.url}/api/mcp/resource-events`, bearer('part'));
    const client = await hub.connect('modern', '/mcp', 'part');
    await client.subscribe('note://a');
    hub.secret.put('x', 'changed');
    hub.upstream.put('b', 'changed');
    hub.upstream.put('a', 'changed');
    await told(client, 'note://a');
    await eventually('the event', () => JSON.stringify(events.frames).includes('note://a'));
    expect(JSON.stringify(events.frames)).not.toMatch(/note:\/\/b|secret:\/\//);
    const { events: listed } = JSON.parse(await client.call('list_changes'));
    expect(JSON.stringify(listed)).not.toMatch(/note:\/\/b|secret:\/\//);
    expect(JSON.stringify(await hub.json('/api/events?limit=1000', bearer('part')))).not.toMatch(
      /note:\/\/b|secret:\/\//,
    );
    events.close();
    await client.close();
  });

  it('closes the streams of removed and changed tokens, and no others', async () => {
    await using hub = await closedHub();
    const [part, whole] = [
      await SseClient.open(`${hub.url}/api/mcp/resource-events`, bearer('part')),
      await SseClient.open(`${hub.url}/api/mcp/resource-events`, bearer('whole')),
    ];
    const { config } = hub.hub.tracker;
    hub.hub.apply({ ...config, servers: config.servers.slice(0, 1) });
    expect((await hub.get('/api/servers', bearer('part'))).status).toBe(200);
    expect(part.isClosed).toBe(false);
    hub.hub.apply({ ...config, tokens: [{ env: 'READER', allow: ['note://b'] }] });
    await eventually('the end of its stream', () => part.isClosed);
    expect(whole.isClosed).toBe(false);
    whole.close();
  });

  it('lets only unlimited tokens change anything', async () => {
    await using hub = await closedHub();
    const patch = (token: string) =>
      fetch(`${hub.url}/api/servers/notes`, {
        method: 'PATCH',
        headers: { ...bearer(token), 'Content-Type': 'application/json' },
        body: '{"tracked":false}',
      });
    expect((await patch('part')).status).toBe(403);
    expect(hub.status('notes')?.tracked).toBe(true);
    expect((await patch('whole')).status).toBe(200);
    expect(hub.status('notes')?.tracked).toBe(false);
  });
});

describe('a page of another origin', () => {
  it('has no access unless its origin is configured', async () => {
    await using hub = await runningHub({ config: { cors: ['https://friend.example/'] } });
    expect((await hub.get('/api/servers', { Origin: 'https://foe.example' })).status).toBe(403);
    const answer = await hub.get('/api/servers', { Origin: 'https://friend.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://friend.example');
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
    const preflight = await fetch(`${hub.url}/mcp`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://friend.example' },
    });
    expect(preflight.status).toBe(204);
  });

  it('has no access through another host name of this machine', async () => {
    await using hub = await runningHub();
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      request(`${hub.url}/api/servers`, { headers: { Host: 'rebound.example' } }, (res) =>
        resolve(res.resume().statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });
});

describe('a redaction bound to a token', () => {
  it('is applied by the built-in server to every read with that token', async () => {
    const seen: unknown[] = [];
    const vault = liveServer({ name: 'vault', version: '1.0.0' });
    vault.resource('vault://{x}', {
      read: (_, { caller: { auth } }) => {
        seen.push(auth?.['redact']);
        return auth?.['redact'] === 'strict' ? 'blacked out' : 'the secret';
      },
      list: () => [{ x: 'one' }],
    });
    vault.tool('look', { annotations: { readOnlyHint: true } }, (_: unknown, { caller }) =>
      String(caller.auth?.['redact']),
    );
    await using hub = await runningHub({
      servers: [{ id: 'vault', builtin: 'vault', enabled: true, trackResources: true }],
      builtins: { vault: async () => vault },
      config: { tokens: [{ env: 'READER', allow: ['vault://**'], redact: 'strict', tools: ['vault_look'] }] },
      token: 'whole',
      env: { READER: 'part' },
    });
    await hub.isLive('vault');
    const whole = await hub.connect('modern', '/mcp', 'whole');
    expect(await whole.read('vault://one')).toBe('the secret');
    const part = await hub.connect('legacy', '/mcp', 'part');
    expect(await part.read('vault://one')).toBe('blacked out');
    expect(await (await hub.get('/resources/vault%3A%2F%2Fone', bearer('part'))).text()).toBe('blacked out');
    await eventually('the tool', async () => (await part.call('vault_look')) === 'strict');
    expect(seen).toContain('strict');
    await whole.close();
    await part.close();
  });
});
