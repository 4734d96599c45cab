import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { Issuers } from '../../access/issuer/issuers.ts';
import { TokenRefused } from '../../access/issuer/token-refused.ts';
import { forwardedBy } from '../message/forwarded.ts';
import { ProtectedResource } from './protected-resource.ts';

const issuer = 'https://id.example.com';
const base = '/.well-known/oauth-protected-resource';
const log = { warn: () => undefined, error: () => undefined };

/** With one issuer, unless there is none. */
function resource({
  audience = 'hub',
  scope,
  none = false,
}: { audience?: string; scope?: string; none?: boolean } = {}) {
  const entry = { issuer, audience, ...(scope !== undefined && { grants: [{ scope }] }) };
  const config = none ? {} : { oauth: { issuers: [entry] } };
  const issuers = new Issuers({ config, before: undefined, fetch, clock: new FakeClock(), log });
  return new ProtectedResource({ issuers: () => issuers, forwarded: forwardedBy(() => []) });
}

function request(method: string, headers: Record<string, string> = { host: 'hub.example' }, isTls = false) {
  const req = new IncomingMessage(Object.assign(new Socket(), isTls && { encrypted: true }));
  return Object.assign(req, { method, headers });
}

function answered(of: ProtectedResource, req: IncomingMessage, path = base) {
  const res = new ServerResponse(req);
  let body = '';
  res.end = (chunk?: unknown) => {
    body = typeof chunk === 'string' ? chunk : '';
    return res;
  };
  of.answer(req, res, path);
  return { status: res.statusCode, headers: res.getHeaders(), body: body === '' ? undefined : JSON.parse(body) };
}

describe('a document is at', () => {
  it.each([
    [base, true],
    [`${base}/mcp`, true],
    [`${base}/mcp/notes`, true],
    [`${base}/mcp/unknown-7`, true],
    [`${base}/`, false],
    [`${base}/mcp/`, false],
    [`${base}/mcp/a/b`, false],
    [`${base}/mcp/-a`, false],
    [`${base}/mcp/${'a'.repeat(33)}`, false],
    [`${base}/mcp/%6eotes`, false],
    [`${base}/MCP`, false],
    [`${base}/api`, false],
    [`${base}x`, false],
    [`/x${base}`, false],
    ['/mcp', false],
    ['', false],
  ])('%s: %s', (path, isThere) => {
    expect(resource().describes(path)).toBe(isThere);
    expect(resource({ none: true }).describes(path)).toBe(false);
  });
});

describe('a document', () => {
  it.each(['GET', 'HEAD'])('is read by %s, from pages of any origin', (method) => {
    const { status, headers, body } = answered(resource({ scope: 'a b' }), request(method));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(body).toEqual({
      resource: 'http://hub.example/mcp',
      authorization_servers: [issuer],
      scopes_supported: ['a', 'b'],
      bearer_methods_supported: ['header'],
      resource_name: 'Tidings',
    });
  });

  it('names the endpoint that it is about, and no scopes if there are none', () => {
    const { body } = answered(resource(), request('GET'), `${base}/mcp/notes`);
    expect(body.resource).toBe('http://hub.example/mcp/notes');
    expect(body).not.toHaveProperty('scopes_supported');
  });

  it('may be asked for from a page', () => {
    const named = answered(resource(), request('OPTIONS', { host: 'x', 'access-control-request-headers': 'x-a' }));
    expect(named).toMatchObject({ status: 204, headers: { 'access-control-allow-headers': 'x-a' }, body: undefined });
    const unnamed = answered(resource(), request('OPTIONS'));
    expect(unnamed.headers).toMatchObject({
      'access-control-allow-headers': '*',
      'access-control-allow-methods': 'GET, HEAD',
    });
  });

  it.each(['POST', 'PUT', 'DELETE', 'get', ''])('cannot be changed: %j', (method) => {
    const { status, headers, body } = answered(resource(), request(method));
    expect([status, headers['allow'], body.error.code]).toEqual([405, 'GET, HEAD, OPTIONS', 'INVALID_PARAMS']);
  });
});

describe('the address of the hub', () => {
  const resourceAt = (audience: string, host: string, isTls = false) =>
    answered(resource({ audience }), request('GET', { host }, isTls)).body.resource;
  it.each([
    ['hub', 'hub.example:8080', false, 'http://hub.example:8080/mcp'],
    ['hub', 'hub.example', true, 'https://hub.example/mcp'],
    // A proxy that ends TLS and is not named in the configuration.
    ['https://hub.example/mcp', 'hub.example', false, 'https://hub.example/mcp'],
    ['https://hub.example:8443/mcp', 'hub.example', false, 'http://hub.example/mcp'],
    ['https://other.example/mcp', 'hub.example', false, 'http://hub.example/mcp'],
    ['urn:hub.example', 'hub.example', false, 'http://hub.example/mcp'],
    ['hub', 'HUB.example', false, 'http://hub.example/mcp'],
    ['hub', 'evil@hub.example', false, 'http://hub.example/mcp'],
    ['hub', 'hub.example/"x', false, 'http://hub.example/mcp'],
    ['hub', 'not a host', false, '/mcp'],
    ['hub', '', false, '/mcp'],
  ])('with the audience %s and the Host %j, over TLS %s, is %s', (audience, host, isTls, address) => {
    expect(resourceAt(audience, host, isTls)).toBe(address);
  });
});

describe('the challenge', () => {
  const metadata = `resource_metadata="http://hub.example${base}`;
  it('is short without an issuer', () => {
    const refused = new TokenRefused('invalid_token', 'No.');
    expect(resource({ none: true }).challenge(request('POST'), '/mcp', refused)).toBe('Bearer');
  });

  it.each([
    ['/mcp', `${metadata}/mcp"`],
    ['/mcp/notes', `${metadata}/mcp/notes"`],
    ['/api/servers', `${metadata}"`],
    ['/mcp/"x', `${metadata}"`],
  ])('for %s points to %s', (path, parameter) => {
    expect(resource().challenge(request('POST'), path)).toBe(`Bearer ${parameter}`);
  });

  it('names the scopes to request, those of the refusal first', () => {
    const of = resource({ scope: 'a b' });
    expect(of.challenge(request('POST'), '/mcp')).toBe(`Bearer scope="a b", ${metadata}/mcp"`);
    const lacking = new TokenRefused('insufficient_scope', 'More.', { scopes: ['c'] });
    expect(of.challenge(request('POST'), '/mcp', lacking)).toBe(
      `Bearer error="insufficient_scope", error_description="More.", scope="c", ${metadata}/mcp"`,
    );
    const expired = new TokenRefused('invalid_token', 'Expired.');
    expect(of.challenge(request('POST'), '/mcp', expired)).toContain('scope="a b"');
  });

  it('quotes a message safely', () => {
    const refused = new TokenRefused('invalid_token', 'a "b" \\ c\r\nX-Y: z ä');
    expect(resource().challenge(request('POST'), '/mcp', refused)).toContain(`error_description="a 'b' ? c??X-Y: z ?"`);
  });
});
