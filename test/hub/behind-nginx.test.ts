// A hub with a host name, behind nginx with the documented configuration (docs/deploy.md).
import { request } from 'node:http';
import { connectFetch, told } from '@tidings/live/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { Nginx, nginxNeed } from '../support/network/nginx.ts';
import { ScriptedIssuer } from '../support/counterpart/scripted-issuer.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const bearer = { Authorization: 'Bearer secret' };

describeWith(nginxNeed, 'a hub behind nginx', () => {
  let upstream: NotesUpstream;
  let hub: RunningHub;
  let nginx: Nginx;

  beforeAll(async () => {
    upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'first');
    const config = { hosts: ['tidings.example.com'], proxies: ['127.0.0.1'] };
    hub = await runningHub({ servers: [upstream.entry('notes')], config, token: 'secret' });
    await hub.isLive('notes');
    nginx = await Nginx.start(hub.url);
  });
  afterAll(async () => {
    await nginx[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });

  it.each(['modern', 'legacy'] as const)('notifies a %s client of changes', async (era) => {
    const client = await connectFetch(nginx.fetch, era, bearer);
    await client.subscribe('note://a');
    upstream.put('a', `for ${era}`);
    await told(client, 'note://a');
    expect(await client.read('note://a')).toBe(`for ${era}`);
    await client.close();
  });

  it('passes events on without buffering', async () => {
    const end = new AbortController();
    const stream = await nginx.fetch(
      new Request(`${nginx.origin}/api/mcp/resource-events`, { headers: bearer, signal: end.signal }),
    );
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const frames = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    const receive = async (text: string) => {
      while (!received.includes(text)) received += (await frames?.read())?.value ?? '';
    };
    await receive('"handshake"');
    upstream.put('b', 'new');
    // If it were buffered, it would not arrive before the stream ends.
    await receive('note://b');
    end.abort();
    await frames?.cancel().catch(() => undefined);
  });

  it('refuses other host names, and says where to add them', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request(`${hub.url}/`, { headers: { Host: 'other.example.com' } }, (response) => {
        response.setEncoding('utf8').once('data', resolve);
      });
      sent.once('error', reject).end();
    });
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'PERMISSION_DENIED', message: expect.stringMatching(/"hosts" .* --allow-host/) },
    });
  });

  it('leads clients to the issuer of access tokens at the address that they use, whatever they claim', async () => {
    await using issuer = await ScriptedIssuer.start();
    const { config } = hub.hub.tracker;
    const useIssuer = (audience: string) =>
      hub.hub.apply({ ...config, oauth: { issuers: [{ issuer: issuer.issuer, audience }] } });
    const claims = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http', Forwarded: 'host=evil.example' };
    const send = (url: string, headers: Record<string, string> = {}) => nginx.fetch(new Request(url, { headers }));
    const resource = `${nginx.origin}/mcp`;
    for (const audience of [resource, 'api://hub']) {
      useIssuer(audience);
      const refused = await send(resource, claims);
      expect(refused.status).toBe(401);
      const described = `${nginx.origin}/.well-known/oauth-protected-resource/mcp`;
      expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${described}"`);
      expect(await (await send(described, claims)).json()).toMatchObject({ resource });
      const token = await issuer.token({ aud: audience });
      const read = await send(`${nginx.origin}/resources/note%3A%2F%2Fa`, { Authorization: `Bearer ${token}` });
      expect(read.status).toBe(200);
    }
    hub.hub.apply(config);
  });

  it('recognises its own pages and the addresses of clients', async () => {
    const send = (path: string, init: RequestInit) => nginx.fetch(new Request(`${nginx.origin}${path}`, init));
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: nginx.origin };
    const login = await send('/login', { method: 'POST', headers: form, body: 'token=secret' });
    expect(login.status).toBe(303);
    // Only if the hub knows that the client uses TLS.
    expect(login.headers.get('set-cookie')).toMatch(/^__Host-tidings-\d+=.*; Secure/);
    const foreign = await send('/login', { method: 'POST', headers: { ...form, Origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    // Wrong tokens are counted per address, and a client cannot choose its address.
    const wrong = (n: number) =>
      send('/api/servers', { headers: { Authorization: `Bearer ${n}`, 'X-Forwarded-For': `10.0.0.${n}` } });
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await wrong(n)).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
