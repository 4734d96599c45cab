// Logins of browsers with a token, their duration, and limits for guessing.
import { createHmac } from 'node:crypto';
import { eventually } from '@tidings/live/testing';
import { systemClock } from '@tidings/live/time';
import { describe, expect, it } from 'vitest';
import { signed, browserSessionKey } from '../../packages/hub/src/access/token/browser-session.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { type RunningHub, type RunningHubOptions, runningHub } from './running-hub.ts';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const html = { Accept: 'text/html' };

function closedHub(options: RunningHubOptions = {}): Promise<RunningHub> {
  return runningHub({ token: 'whole', ...options });
}

function logIn({ url }: RunningHub, token: string, headers: Record<string, string> = html): Promise<Response> {
  const body = new URLSearchParams({ token });
  return fetch(`${url}/login`, { method: 'POST', headers, body, redirect: 'manual' });
}

function cookieIn(answer: Response): string {
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

describe('a login form', () => {
  it('posts the token and sets a cookie for this port with an expiry', async () => {
    await using hub = await closedHub();
    const answer = await logIn(hub, 'whole');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    const set = answer.headers.get('set-cookie') ?? '';
    expect(set).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    expect(set).not.toContain('whole');
    expect(cookieIn(answer)).toMatch(new RegExp(`^tidings-${new URL(hub.url).port}=`));
    const headers = { Cookie: cookieIn(answer) };
    expect((await hub.get('/api/servers', headers)).status).toBe(200);
    expect(await hub.json('/api/whoami', headers)).toMatchObject({ subject: 'token', whole: true });
    expect(await hub.json('/api/whoami', bearer('whole'))).toMatchObject({ loggedInUntil: null });
  });

  it('refuses a token in a URL, and says what to do instead', async () => {
    await using hub = await closedHub();
    const answer = await hub.get('/?token=whole', html);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await answer.text()).toContain('/#token=');
    const program = await hub.get('/?token=whole');
    expect(program.status).toBe(401);
    expect(await program.json()).toMatchObject({ error: { message: expect.stringContaining('Bearer') } });
    await using open = await runningHub();
    const led = await open.get('/?token=none-is-needed', html);
    expect([led.status, led.headers.get('location')]).toEqual([303, '/']);
  });

  it('accepts any token if the hub has none', async () => {
    await using hub = await runningHub();
    const answer = await logIn(hub, 'anything');
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([303, null]);
  });

  it('is refused for pages of other origins, and for other content types', async () => {
    await using hub = await closedHub();
    expect((await logIn(hub, 'whole', { ...html, Origin: 'http://localhost:9999' })).status).toBe(403);
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await fetch(`${hub.url}/login`, { method: 'POST', headers, body: 'token=whole' });
    expect(answer.status).toBe(415);
  });

  it('sets a Secure cookie if a trusted proxy reports TLS', async () => {
    await using hub = await closedHub({ config: { proxies: ['127.0.0.1'] } });
    const { host, port } = new URL(hub.url);
    const behind = { ...html, 'X-Forwarded-Proto': 'https', Origin: `https://${host}` };
    const answer = await logIn(hub, 'whole', behind);
    expect(answer.headers.get('set-cookie')).toMatch(new RegExp(`^__Host-tidings-${port}=.*; Secure$`));
    await using plain = await closedHub();
    const claimed = await logIn(plain, 'whole', { ...html, 'X-Forwarded-Proto': 'https' });
    expect(claimed.headers.get('set-cookie')).not.toContain('Secure');
  });
});

describe('a login', () => {
  it('is refused if it has expired, was modified, or is signed with another key', async () => {
    await using hub = await closedHub();
    const name = cookieIn(await logIn(hub, 'whole')).split('=')[0];
    const status = async (value: string) => (await hub.get('/api/servers', { Cookie: `${name}=${value}` })).status;
    const session = { id: 'x', expiresAt: Date.now() + 60_000 };
    const right = signed(session, browserSessionKey('whole'));
    expect(await status(right)).toBe(200);
    expect(await status(signed({ ...session, expiresAt: Date.now() - 1 }, browserSessionKey('whole')))).toBe(401);
    expect(await status(signed(session, browserSessionKey('wrong')))).toBe(401);
    expect(await status(right.replace('.x.', '.y.'))).toBe(401);
    expect(await status(right.slice(0, -1))).toBe(401);
    expect(await status(createHmac('sha256', 'whole').update('the cookie of a browser').digest('base64url'))).toBe(401);
  });

  it('ends with a logout, together with its open streams', async () => {
    await using hub = await closedHub();
    const headers = { Cookie: cookieIn(await logIn(hub, 'whole')) };
    const other = { Cookie: cookieIn(await logIn(hub, 'whole')) };
    const events = await SseClient.open(`${hub.url}/api/mcp/resource-events`, headers);
    const kept = await SseClient.open(`${hub.url}/api/mcp/resource-events`, other);
    const post = (given: Record<string, string>) =>
      fetch(`${hub.url}/logout`, { method: 'POST', headers: { ...headers, ...given } });
    expect((await post({})).status).toBe(415);
    expect((await hub.get('/api/servers', headers)).status).toBe(200);
    const answer = await post({ 'Content-Type': 'application/json' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^tidings-\d+=; .*Max-Age=0/);
    await eventually('the end of its stream', () => events.isClosed);
    expect((await hub.get('/api/servers', headers)).status).toBe(401);
    expect((await hub.get('/api/servers', other)).status).toBe(200);
    expect(kept.isClosed).toBe(false);
    kept.close();
  });

  it('ends when its token is removed, and survives a restart of the hub', async () => {
    const first = await closedHub();
    const headers = { Cookie: cookieIn(await logIn(first, 'whole')) };
    const port = Number(new URL(first.url).port);
    await first[Symbol.asyncDispose]();
    {
      await using again = await closedHub({ port });
      expect((await again.get('/api/servers', headers)).status).toBe(200);
    }
    await using changed = await closedHub({ port, token: 'another' });
    expect((await changed.get('/api/servers', headers)).status).toBe(401);
  });
});

describe('guessing of tokens', () => {
  // The first pause lasts a second, and must not end before the next request.
  const clock = { ...systemClock, now: () => 0 };

  it('is paused after a few wrong tokens, without effect on logged-in users and other addresses', async () => {
    await using hub = await closedHub({ config: { proxies: ['127.0.0.1'] }, clock });
    const headers = { Cookie: cookieIn(await logIn(hub, 'whole')) };
    for (let guess = 0; guess < 5; guess += 1) {
      expect((await hub.get('/api/servers', bearer(`guess ${guess}`))).status).toBe(401);
    }
    const paused = await hub.get('/api/servers', bearer('whole'));
    expect(paused.status).toBe(429);
    expect(Number(paused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await paused.json()).toMatchObject({ error: { code: 'LIMIT_EXCEEDED' } });
    const form = await logIn(hub, 'whole');
    expect([form.status, await form.text()]).toEqual([429, expect.stringContaining('Too many wrong tokens')]);
    expect((await hub.get('/api/servers', headers)).status).toBe(200);
    const elsewhere = { ...bearer('whole'), 'X-Forwarded-For': '192.0.2.7' };
    expect((await hub.get('/api/servers', elsewhere)).status).toBe(200);
    expect((await hub.get('/api/servers', { ...elsewhere, ...bearer('x') })).status).toBe(401);
  });

  it('is paused after forged login cookies too', async () => {
    await using hub = await closedHub({ config: { proxies: ['127.0.0.1'] }, clock });
    const name = `tidings-${new URL(hub.url).port}`;
    const session = { id: 'x', expiresAt: Date.now() + 60_000 };
    const forged = (token: string) => ({ Cookie: `${name}=${signed(session, browserSessionKey(token))}` });
    for (let guess = 0; guess < 5; guess += 1) {
      expect((await hub.get('/api/servers', forged(`guess ${guess}`))).status).toBe(401);
    }
    expect((await hub.get('/api/servers', forged('whole'))).status).toBe(429);
    // A browser that logged in before the token was changed always sends the same cookie.
    const elsewhere = { 'X-Forwarded-For': '192.0.2.7' };
    for (let times = 0; times < 20; times += 1) {
      expect((await hub.get('/api/servers', { ...forged('old'), ...elsewhere })).status).toBe(401);
    }
    expect((await hub.get('/api/servers', { ...forged('whole'), ...elsewhere })).status).toBe(200);
  });

  it('does not include a client that repeats one old token', async () => {
    await using hub = await closedHub();
    for (let times = 0; times < 20; times += 1) {
      expect((await hub.get('/api/servers', bearer('old'))).status).toBe(401);
    }
    expect((await hub.get('/api/servers', bearer('whole'))).status).toBe(200);
  });
});
