// The rights of an access token by its scopes, claims, audience and owner, and their end.
import { eventually } from '@tidings/live/testing';
import type { IssuerEntry } from '@tidings/track';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProtectedNotes } from '../login/protected-notes.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { RawStream, ask, initialize, openStream, send } from '../support/wire/raw-http.ts';
import { type HubWithIssuer, audience, bearer, hubWithIssuer, notePath } from './hub-with-issuer.ts';

const eras = ['modern', 'legacy'] as const;
const call = { name: 'notes_put_note', arguments: { name: 'a', text: 'new' } };

/** The statuses and codes of a read and a call, and whether servers may be changed. */
async function allowed({ hub, issuer }: HubWithIssuer, claims: object) {
  const token = await issuer.token({ aud: audience, ...claims });
  const tools = await ask(`${hub.url}/mcp`, 'modern', 'tools/list', {}, bearer(token));
  const listed: unknown = tools.message.result?.['tools'];
  const answer = await hub.get(notePath, bearer(token));
  const metrics = await hub.get('/metrics', bearer(token));
  return {
    reads: answer.status,
    puts: JSON.stringify(listed ?? []).includes('"notes_put_note"'),
    administers: metrics.status === 200,
  };
}

async function streamsOf(url: string, token: string): Promise<Map<string, RawStream>> {
  const streams = new Map<string, RawStream>();
  const events = await send(`${url}/api/mcp/resource-events`, 'GET', bearer(token));
  streams.set('events', new RawStream(events));
  const accept = { accept: 'text/event-stream', ...bearer(token) };
  for (const era of eras) streams.set(era, await openStream(`${url}/mcp`, era, ['note://a'], bearer(token)));
  const transcript = await send(`${url}/api/sessions/transcript/transcript`, 'GET', accept);
  if (transcript.statusCode === 200) streams.set('transcript', new RawStream(transcript));
  return streams;
}

describe('an access token', () => {
  it('may read everything and call nothing, unless the configuration grants more', async () => {
    const started = await hubWithIssuer();
    expect(await allowed(started, {})).toEqual({ reads: 200, puts: false, administers: false });
    const token = await started.issuer.token({ aud: audience });
    const answer = await ask(`${started.hub.url}/mcp`, 'modern', 'tools/call', call, bearer(token));
    expect(JSON.stringify(answer.message)).not.toContain('"first"');
    expect(answer.message.error).toBeDefined();
  });

  it('has the grant of the first entry whose conditions its scopes and claims meet', async () => {
    const grants: IssuerEntry['grants'] = [
      { claims: { 'realm.roles': ['admin', 'owner'] }, everything: true },
      { scope: 'notes:read notes:write', tools: ['notes_*'] },
      { scope: 'notes:read', allow: ['note://a'] },
      { claims: { team: 'other' }, allow: ['note://b'] },
    ];
    const started = await hubWithIssuer({ grants });
    const everything = { reads: 200, puts: true, administers: true };
    expect(await allowed(started, { realm: { roles: ['user', 'owner'] } })).toEqual(everything);
    expect(await allowed(started, { 'realm.roles': 'admin' })).toEqual(everything);
    const writes = { reads: 200, puts: true, administers: false };
    expect(await allowed(started, { scope: 'notes:write notes:read' })).toEqual(writes);
    expect(await allowed(started, { scp: ['notes:read', 'notes:write'] })).toEqual(writes);
    const reads = { reads: 200, puts: false, administers: false };
    expect(await allowed(started, { scope: 'notes:read', realm: { roles: ['administrator'] } })).toEqual(reads);
    expect(await allowed(started, { team: ['one', 'other'] })).toMatchObject({ reads: 403, puts: false });
  });

  it('has its claims found by names with dots, and in objects', async () => {
    const name = 'access.tidings.example.com.roles';
    const { issuer, read } = await hubWithIssuer({ grants: [{ claims: { [name]: 'reader' } }] });
    const reads = async (claims: object) => read(await issuer.token({ aud: audience, ...claims }));
    expect(await reads({ [name]: 'reader' })).toBe(200);
    expect(await reads({ access: { 'tidings.example.com': { roles: ['reader'] } } })).toBe(200);
    expect(await reads({ access: {}, 'access.tidings': { 'example.com': { roles: ['reader'] } } })).toBe(200);
    expect(await reads({ access: { 'tidings.example': { com: 'reader' } } })).toBe(403);
    // The own claim decides, and no other.
    expect(await reads({ [name]: 'x', access: { 'tidings.example.com': { roles: ['reader'] } } })).toBe(403);
    for (const claim of ['__proto__', 'constructor', 'prototype']) {
      const claims: object = JSON.parse(`{"${claim}":{"${name}":"reader","scope":"x"},"access":{"${claim}":"reader"}}`);
      expect(await reads(claims), claim).toBe(403);
    }
  });

  it('without any grant is refused with the scopes to request, if there are any', async () => {
    const { hub, issuer } = await hubWithIssuer({ grants: [{ scope: 'a b' }, { scope: 'c' }, { claims: { d: 'e' } }] });
    const refused = async (claims: object) => {
      const token = await issuer.token({ aud: audience, ...claims });
      const answer = await hub.get('/mcp', bearer(token));
      return { status: answer.status, challenge: answer.headers.get('www-authenticate') };
    };
    const { status, challenge } = await refused({ scope: 'b' });
    expect(status).toBe(403);
    expect(challenge).toMatch(/^Bearer error="insufficient_scope", .*, scope="a b c", resource_metadata="http/);
    hub.hub.apply({
      ...hub.hub.tracker.config,
      oauth: { issuers: [{ issuer: issuer.issuer, audience, grants: [{ claims: { d: 'e' } }] }] },
    });
    expect(await refused({})).toEqual({ status: 403, challenge: null });
  });

  it('for one server is valid at that server only', async () => {
    const { hub, issuer } = await hubWithIssuer();
    const token = await issuer.token({ aud: `${audience}/notes` });
    for (const era of eras) {
      const session = era === 'legacy' ? await initialize(`${hub.url}/mcp/notes`, bearer(token)) : bearer(token);
      const answer = await ask(`${hub.url}/mcp/notes`, era, 'resources/read', { uri: 'note://a' }, session);
      expect(answer.message.result).toBeDefined();
    }
    for (const path of ['/mcp', '/mcp/other', notePath, '/api/servers', '/mcp/notes/', '/metrics']) {
      const answer = await hub.get(path, bearer(token));
      expect(answer.status, path).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('another audience');
    }
  });

  it('does not open the session of another owner, nor of the same owner with another grant', async () => {
    const { hub, issuer } = await hubWithIssuer({ grants: [{ scope: 'write', tools: ['**'] }, {}] });
    const url = `${hub.url}/mcp`;
    const ada = await issuer.token({ aud: audience, sub: 'ada' });
    const session = await initialize(url, bearer(ada));
    const list = async (token: string) =>
      (await ask(url, 'legacy', 'resources/list', {}, { ...session, ...bearer(token) })).status;
    expect(await list(ada)).toBe(200);
    expect(await list(await issuer.token({ aud: audience, sub: 'ada', renewed: true }))).toBe(200);
    expect(await list(await issuer.token({ aud: audience, sub: 'eve' }))).toBe(404);
    expect(await list(await issuer.token({ aud: audience, sub: 'ada', scope: 'write' }))).toBe(404);
  });

  it('is not sent to any server', async () => {
    const notes = await ProtectedNotes.start({ issuer: 'https://id.example.com', scopesOf: async () => [] });
    onTestFinished(() => notes[Symbol.asyncDispose]());
    const { hub, issuer } = await hubWithIssuer({ grants: [{ tools: ['**'] }] });
    hub.hub.apply({ ...hub.hub.tracker.config, servers: [notes.entry({ id: 'other' })] });
    await hub.isLive('other');
    const token = await issuer.token({ aud: audience });
    for (const era of eras) {
      const session = era === 'legacy' ? await initialize(`${hub.url}/mcp`, bearer(token)) : bearer(token);
      const written = await ask(`${hub.url}/mcp`, era, 'tools/call', { name: 'other_write', arguments: {} }, session);
      expect(JSON.stringify(written.message.result)).toContain('written');
      const read = await ask(`${hub.url}/mcp`, era, 'resources/read', { uri: 'note://first' }, session);
      expect(JSON.stringify(read.message.result)).toContain('one');
    }
    expect(notes.seen.length).toBeGreaterThan(3);
    expect(notes.seen.every((header) => header === undefined)).toBe(true);
  });

  it('is counted and recorded under the name of its owner, without the token', async () => {
    const { hub, issuer } = await hubWithIssuer({ limits: { streams: 1 } }, { token: 'whole' });
    const token = await issuer.token({ aud: audience });
    const events = () => send(`${hub.url}/api/mcp/resource-events`, 'GET', bearer(token));
    const stream = new RawStream(await events());
    expect((await events()).statusCode).toBe(429);
    const renewed = await issuer.token({ aud: audience, renewed: true });
    expect((await send(`${hub.url}/api/mcp/resource-events`, 'GET', bearer(renewed))).statusCode).toBe(429);
    const other = await issuer.token({ aud: audience, sub: 'eve' });
    expect((await send(`${hub.url}/api/mcp/resource-events`, 'GET', bearer(other))).statusCode).toBe(200);
    stream.res.destroy();
    const who = await hub.json('/api/whoami', bearer(token));
    expect(who).toMatchObject({ subject: `${issuer.issuer}#ada`, whole: false });
    expect(JSON.stringify(await hub.json('/api/clients', bearer('whole')))).not.toContain(token);
  });
});

describe('streams of an access token end', () => {
  it('when it expires', async () => {
    const clock = new LeapingClock();
    const { hub, issuer } = await hubWithIssuer({ grants: [{ everything: true }] }, { clock });
    const token = await issuer.token({ aud: audience });
    const longer = await issuer.token({ aud: audience, expiresIn: 7200 });
    const others = await streamsOf(hub.url, longer);
    const streams = await streamsOf(hub.url, token);
    expect([...streams.keys()]).toContain('transcript');
    const session = await initialize(`${hub.url}/mcp`, bearer(token));
    for (const [name, stream] of streams) expect(stream.ended, name).toBe(false);
    clock.leap(3600 * 1000);
    for (const [name, stream] of streams) await eventually(`the end of ${name}`, () => stream.ended);
    for (const [name, stream] of others) expect(stream.ended, name).toBe(false);
    const later = await ask(`${hub.url}/mcp`, 'legacy', 'resources/list', {}, { ...session, ...bearer(longer) });
    expect(later.status).toBe(404);
    expect((await hub.get(notePath, bearer(token))).status).toBe(401);
  });

  it('when the issuer withdraws its key, which is noticed also while no token arrives', async () => {
    const minute = 60_000;
    const clock = new LeapingClock(minute);
    const { hub, issuer, read } = await hubWithIssuer({ grants: [{ everything: true }] }, { clock });
    const token = await issuer.token({ aud: audience, expiresIn: 7200 });
    expect(await read(token)).toBe(200);
    const loads = () => issuer.asked.filter((path) => path === '/jwks').length;
    const withdraw = async (kid: string) => {
      const before = loads();
      await issuer.rotate(kid);
      clock.leap(11 * minute);
      await eventually('the new keys', () => loads() > before);
    };
    await withdraw('second');
    await eventually('the refusal', async () => (await read(token)) === 401);
    const other = await issuer.token({ aud: audience, expiresIn: 7200 });
    const streams = await streamsOf(hub.url, other);
    await withdraw('third');
    await eventually('the refusal', async () => (await read(other)) === 401);
    clock.leap(minute);
    for (const [name, stream] of streams) await eventually(`the end of ${name}`, () => stream.ended);
  });

  it('not when limits change, of which lists say nothing either', async () => {
    // Changes of lists are held back for 100 ms, to be merged: here until a leap.
    const clock = new LeapingClock(100);
    const { hub, issuer, upstream } = await hubWithIssuer({}, { clock });
    const token = await issuer.token({ aud: audience });
    const stream = await openStream(`${hub.url}/mcp`, 'legacy', ['note://a'], bearer(token));
    const listChanges = async (text: string) => {
      const { length } = stream.updates;
      clock.leap(1000);
      upstream.put('a', text);
      await stream.sees('the update', ({ updates }) => updates.length > length);
      return stream.messages.filter(({ method }) => method?.endsWith('/list_changed')).length;
    };
    const before = await listChanges('second');
    const oauth = { issuers: [{ issuer: issuer.issuer, audience, limits: { streams: 50 }, mentionChanges: false }] };
    hub.hub.apply({ ...hub.hub.tracker.config, oauth });
    expect(await listChanges('third')).toBe(before);
    expect(stream.ended).toBe(false);
  });

  it('when its issuer is removed or its grant changes, and not before', async () => {
    const { hub, issuer } = await hubWithIssuer({ grants: [{ everything: true }] }, { token: 'whole' });
    const { config } = hub.hub.tracker;
    const edit = (entry: Partial<IssuerEntry>) =>
      hub.hub.apply({ ...config, oauth: { issuers: [{ issuer: issuer.issuer, audience, ...entry }] } });
    const token = await issuer.token({ aud: audience });
    const streams = await streamsOf(hub.url, token);
    edit({ grants: [{ everything: true }], limits: { streams: 50 } });
    const others = await streamsOf(hub.url, 'whole');
    for (const [name, stream] of streams) expect(stream.ended, name).toBe(false);
    edit({ grants: [{ tools: ['notes_*'] }] });
    for (const [name, stream] of streams) await eventually(`the end of ${name}`, () => stream.ended);
    const narrow = await streamsOf(hub.url, token);
    const session = await initialize(`${hub.url}/mcp`, bearer(token));
    const { oauth: _oauth, ...without } = config;
    hub.hub.apply(without);
    for (const [name, stream] of narrow) await eventually(`the end of ${name}`, () => stream.ended);
    for (const [name, stream] of others) expect(stream.ended, name).toBe(false);
    expect((await ask(`${hub.url}/mcp`, 'legacy', 'resources/list', {}, session)).status).toBe(401);
    expect((await hub.get(notePath, bearer(token))).status).toBe(401);
    expect((await hub.get(notePath)).status).toBe(401);
  });
});
