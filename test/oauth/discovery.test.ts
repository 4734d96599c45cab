// How a client finds an authorization server: the challenge of a refused request, and the public documents.
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { audience, bearer, hubWithIssuer } from './hub-with-issuer.ts';

const wellKnown = '/.well-known/oauth-protected-resource';
const scoped = {
  grants: [
    { scope: 'notes:read', allow: ['note://**'] },
    { scope: 'notes:write', tools: ['**'] },
  ],
};

/** `fetch` cannot set the Host header. */
function withHost(url: string, host: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: string; challenge: string }>((resolve, reject) => {
    const req = request(url, { headers: { ...headers, host } }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      const challenge = res.headers['www-authenticate'] ?? '';
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString(), challenge }));
    });
    req.on('error', reject).end();
  });
}

describe('a hub with issuers', () => {
  it('names its document and the scopes to request in every refusal', async () => {
    const { hub } = await hubWithIssuer(scoped);
    const cases = [
      ['/mcp', '/mcp'],
      ['/mcp/notes', '/mcp/notes'],
      ['/mcp/no-such', '/mcp/no-such'],
      ['/api/servers', ''],
      ['/resources/note%3A%2F%2Fa', ''],
    ];
    for (const [path = '', described] of cases) {
      const answer = await hub.get(path);
      expect(answer.status).toBe(401);
      const metadata = `resource_metadata="${hub.url}${wellKnown}${described}"`;
      expect(answer.headers.get('www-authenticate')).toBe(`Bearer scope="notes:read notes:write", ${metadata}`);
    }
    const wrong = await hub.get('/mcp', bearer('wrong'));
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", .*resource_metadata=/);
  });

  it('has a public document for itself and each endpoint, whether or not the server exists', async () => {
    const { hub, issuer } = await hubWithIssuer(scoped);
    for (const [path, resource] of [
      ['', '/mcp'],
      ['/mcp', '/mcp'],
      ['/mcp/notes', '/mcp/notes'],
      ['/mcp/no-such', '/mcp/no-such'],
    ]) {
      const answer = await hub.get(`${wellKnown}${path}`, { origin: 'https://any.example' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(await answer.json()).toEqual({
        resource: `${hub.url}${resource}`,
        authorization_servers: [issuer.issuer],
        scopes_supported: ['notes:read', 'notes:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Tidings',
      });
    }
    const preflight = await fetch(`${hub.url}${wellKnown}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://any.example', 'access-control-request-headers': 'mcp-protocol-version' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version');
    const changed = await fetch(`${hub.url}${wellKnown}/mcp`, { method: 'DELETE' });
    expect(changed.status).toBe(405);
    for (const path of ['/other', '/mcp/', '/mcp/A', '/mcp/a/b', 'x']) {
      expect((await hub.get(`${wellKnown}${path}`)).status, path).toBe(401);
    }
  });

  it('uses the address in the documents that clients use', async () => {
    const hosts = ['tidings.example.com', 'other.example.com'];
    const { hub } = await hubWithIssuer({}, { config: {} });
    const { config } = hub.hub.tracker;
    hub.hub.apply({ ...config, hosts });
    const resourceAt = async (host: string, headers?: Record<string, string>) => {
      const { text } = await withHost(`${hub.url}${wellKnown}/mcp`, host, headers);
      const { resource }: { resource?: string } = JSON.parse(text);
      return resource;
    };
    // The audience has the scheme, also if the proxy is not trusted.
    expect(await resourceAt('tidings.example.com')).toBe(audience);
    expect(await resourceAt('Tidings.Example.com:443')).toBe(audience);
    expect(await resourceAt('tidings.example.com:8443')).toBe('http://tidings.example.com:8443/mcp');
    expect(await resourceAt('other.example.com')).toBe('http://other.example.com/mcp');
    const https = { 'x-forwarded-proto': 'https' };
    expect(await resourceAt('other.example.com', https)).toBe('http://other.example.com/mcp');
    hub.hub.apply({ ...config, hosts, proxies: ['127.0.0.1'] });
    expect(await resourceAt('other.example.com', https)).toBe('https://other.example.com/mcp');
    const { challenge } = await withHost(`${hub.url}/mcp`, 'tidings.example.com');
    expect(challenge).toBe(`Bearer resource_metadata="https://tidings.example.com${wellKnown}/mcp"`);
    // A host name that is not its own: from DNS rebinding, or a poisoned cache.
    const foreign = await withHost(`${hub.url}${wellKnown}/mcp`, 'evil.example');
    expect(foreign).toMatchObject({ status: 403, challenge: '' });
    const odd = await withHost(`${hub.url}${wellKnown}/mcp`, '127.0.0.1/", x="');
    expect(odd.text).not.toContain('x=');
  });

  it('lets pages of allowed origins read its challenge, and no others', async () => {
    const { hub } = await hubWithIssuer({}, { config: {} });
    hub.hub.apply({ ...hub.hub.tracker.config, cors: ['https://app.example'] });
    const named = await hub.get('/mcp', { origin: 'https://app.example' });
    expect(named.status).toBe(401);
    expect(named.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    const other = await hub.get('/mcp', { origin: 'https://any.example' });
    expect(other.status).toBe(403);
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('has no such document without issuers', async () => {
    const { hub } = await hubWithIssuer({}, { token: 'whole' });
    const { oauth: _oauth, ...config } = hub.hub.tracker.config;
    hub.hub.apply(config);
    const answer = await hub.get(`${wellKnown}/mcp`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await hub.get(`${wellKnown}/mcp`, bearer('whole'))).status).toBe(404);
  });
});
