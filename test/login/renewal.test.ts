// The life of a login while a tracker uses it, with a real authorization server that rotates refresh tokens.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { type UrlEntry, openTracker } from '@tidings/track';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AuthorizationServer } from '../support/counterpart/authorization-server.js';
import { timeLimit } from '../support/run/time-limit.ts';
import { RecordingLog } from '../track/recording-log.ts';
import { ProtectedNotes } from './protected-notes.ts';
import { quickLogin } from './quick-login.ts';
import { ScriptedAuthorization } from './scripted-authorization.ts';

let login: AuthorizationServer;
let notes: ProtectedNotes;

beforeAll(async () => {
  login = await AuthorizationServer.start();
  notes = await ProtectedNotes.start(login, { writes: 'notes:write' });
});

beforeEach(() => {
  login.tokenRequests = [];
  login.tokenFault = undefined;
});

afterAll(async () => {
  await notes[Symbol.asyncDispose]();
  await login[Symbol.asyncDispose]();
});

async function place(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'tidings-renewal-'));
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }));
  return data;
}

async function tracked(data: string, entry: UrlEntry = notes.entry()) {
  const log = new RecordingLog();
  const tracker = await openTracker({ config: { servers: [entry], tokens: [] }, place: data, log });
  onTestFinished(() => tracker.close());
  const upstream = tracker.upstream(entry.id);
  const reaches = (state: string) =>
    eventually(`the state ${state}`, () => upstream.status().state === state && upstream.status(), 20_000);
  return { tracker, upstream, reaches, lines: log.lines };
}

const renewals = () => login.tokenRequests.filter((each) => each.startsWith('refresh_token'));
const tokensIn = async (store: Awaited<ReturnType<typeof quickLogin>>) => (await store.read(notes.url))?.tokens;

describe('a login', () => {
  it('is renewed once, however many requests find its token invalid', async () => {
    const data = await place();
    await quickLogin(data, notes.url);
    const { upstream, reaches } = await tracked(data);
    await reaches('live');
    login.forgetAccessTokens();
    const reads = Array.from({ length: 40 }, () =>
      upstream.use((client) => client.readResource({ uri: 'note://first' })),
    );
    for (const { contents } of await Promise.all(reads)) expect(contents).toMatchObject([{ text: 'one' }]);
    expect(renewals()).toEqual(['refresh_token ok']);
    await reaches('live');
  });

  it('is renewed once by two processes on one data folder', async () => {
    const data = await place();
    await quickLogin(data, notes.url);
    const program = fileURLToPath(new URL('renewing-process.js', import.meta.url));
    const both = [0, 1].map(() => {
      const child = spawn(process.execPath, [program, data, notes.url], { stdio: ['pipe', 'pipe', 'inherit'] });
      return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
    });
    for (const { lines } of both) expect((await lines.next()).value).toBe('ready');
    for (const { child } of both) child.stdin.end('now');
    const renewed = await Promise.all(both.map(async ({ lines }) => String((await lines.next()).value)));
    expect(renewals()).toEqual(['refresh_token ok']);
    expect(renewed[0]).toBe(renewed[1]);
    expect(await login.scopesOf(renewed[0] ?? '', notes.url)).toBeDefined();
  });

  it('is kept while the authorization server fails, and used again afterwards', async () => {
    const data = await place();
    const store = await quickLogin(data, notes.url);
    const { reaches, upstream } = await tracked(data);
    await reaches('live');
    login.tokenFault = 503;
    login.forgetAccessTokens();
    const { detail } = await reaches('backoff');
    expect(detail).toContain('The login could not be renewed');
    expect((await tokensIn(store))?.refreshToken).toBeDefined();
    login.tokenFault = undefined;
    await reaches('live');
    expect(upstream.status().state).toBe('live');
    expect(login.tokenRequests.at(-1)).toBe('refresh_token ok');
  });

  it('that is revoked is given up, and the next one is used as soon as it is stored', async () => {
    const data = await place();
    const store = await quickLogin(data, notes.url);
    const { reaches, lines } = await tracked(data);
    await reaches('live');
    const before = await tokensIn(store);
    await login.revokeAll();
    const { detail } = await reaches('needs_login');
    expect(detail).toContain('Run "tidings login notes"');
    expect(await tokensIn(store)).toBeUndefined();
    const start = performance.now();
    await quickLogin(data, notes.url);
    await reaches('live');
    expect(performance.now() - start).toBeLessThan(timeLimit(5000));
    const after = await tokensIn(store);
    for (const secret of [before?.accessToken, before?.refreshToken, after?.accessToken, after?.refreshToken]) {
      expect(JSON.stringify(lines)).not.toContain(secret);
    }
  });

  it('that lacks a scope is reported, and one with more scopes is used without a new connection', async () => {
    const data = await place();
    const store = await quickLogin(data, notes.url);
    const { reaches, upstream } = await tracked(data);
    await reaches('live');
    const write = () => upstream.use((client) => client.callTool({ name: 'write', arguments: {} }));
    await expect(write()).rejects.toThrow(/scope|permission/i);
    expect((await store.read(notes.url))?.wantedScope).toBe('notes:write');
    const { state, detail } = upstream.status();
    expect(state).toBe('live');
    expect(detail).toContain('(scope "notes:write"). Run "tidings login notes"');
    await quickLogin(data, notes.url);
    expect((await tokensIn(store))?.scope?.split(' ')).toEqual(expect.arrayContaining(['notes:read', 'notes:write']));
    await eventually('the wider token to be known', () => upstream.status().detail === '');
    expect(await write()).toMatchObject({ content: [{ text: 'written' }] });
  });

  it('is not renewed again and again by two trackers whose server rejects every token', async () => {
    await using scripted = await ScriptedAuthorization.start();
    await using strict = await ProtectedNotes.start(scripted);
    const data = await place();
    await quickLogin(data, strict.url);
    scripted.isGood = () => false;
    const both = [await tracked(data, strict.entry()), await tracked(data, strict.entry())];
    for (const { reaches, upstream } of both) {
      await reaches('needs_login');
      await eventually('a long pause', () => upstream.status().failures > 3, 20_000);
    }
    expect(scripted.renewals).toBeLessThanOrEqual(2);
  });

  it('of another server URL is not used', async () => {
    const data = await place();
    await quickLogin(data, notes.url);
    await using other = await ProtectedNotes.start(login);
    const { reaches } = await tracked(data, other.entry());
    await reaches('needs_login');
    expect(other.seen.every((authorization) => authorization === undefined)).toBe(true);
  });

  it('is not used if the entry has an Authorization header', async () => {
    const data = await place();
    await quickLogin(data, notes.url);
    notes.seen.length = 0;
    const { reaches } = await tracked(data, notes.entry({ headers: { authorization: 'Bearer own' } }));
    const { detail } = await reaches('needs_login');
    expect(detail).toContain('set "headers" in its entry');
    expect(new Set(notes.seen)).toEqual(new Set(['Bearer own']));
  });

  it.each(['modern', 'legacy'] as const)(
    'that had ended is replaced: changes made meanwhile are reported (%s)',
    async (era) => {
      await using other = await ProtectedNotes.start(login, { era });
      const data = await place();
      await quickLogin(data, other.url);
      const { reaches, upstream } = await tracked(data, other.entry());
      await reaches('live');
      const told: string[] = [];
      upstream.watch('note://first', (uri) => void told.push(uri));
      await eventually('the first look', () => upstream.status().hashed > 0);
      await login.revokeAll();
      await reaches('needs_login');
      other.notes.set('first', 'changed');
      told.length = 0;
      await quickLogin(data, other.url);
      await reaches('live');
      await eventually('the change', () => told.includes('note://first'));
    },
  );

  it('is used for a server of the 2025 era', async () => {
    await using old = await ProtectedNotes.start(login, { era: 'legacy' });
    const data = await place();
    await quickLogin(data, old.url);
    const { reaches, tracker } = await tracked(data, old.entry());
    expect(await reaches('live')).toMatchObject({ era: 'legacy' });
    expect((await tracker.read('notes', 'note://second')).contents).toMatchObject([{ text: 'two' }]);
  });
});

describe('a machine', () => {
  const oauth = (clientSecret: string) =>
    ({
      grant: 'client_credentials',
      clientId: 'machine',
      clientSecret,
      issuer: login.issuer,
      algorithm: 'RS256',
    }) as const;

  it('logs in by itself, and again when its token is invalid', async () => {
    const { reaches, upstream } = await tracked(
      await place(),
      notes.entry({ oauth: oauth('the-secret-of-the-machine') }),
    );
    await reaches('live');
    expect(login.tokenRequests).toEqual(['client_credentials ok']);
    login.forgetAccessTokens();
    const read = await upstream.use((client) => client.readResource({ uri: 'note://first' }));
    expect(read.contents).toMatchObject([{ text: 'one' }]);
    expect(login.tokenRequests).toEqual(['client_credentials ok', 'client_credentials ok']);
  });

  it('with unknown credentials gets an error that says so', async () => {
    const { reaches } = await tracked(await place(), notes.entry({ oauth: oauth('another secret') }));
    const { detail } = await reaches('needs_login');
    expect(detail).toContain('got no token: ');
    expect(detail).toContain('Check "oauth" in its entry.');
    expect(detail).not.toContain('another secret');
  });

  it('shows neither its secret nor terminal escapes in messages of the authorization server', async () => {
    await using other = await ScriptedAuthorization.start();
    const secret = 'the-secret-of-the-machine';
    const error_description = `${secret} \u001b[2J\n${'x'.repeat(100_000)}`;
    other.answerToken = (res) =>
      void res.writeHead(400).end(JSON.stringify({ error: 'invalid_client', error_description }));
    const entry = notes.entry({ oauth: { ...oauth(secret), issuer: other.issuer } });
    const { reaches } = await tracked(await place(), entry);
    const { detail } = await reaches('needs_login');
    expect(detail).toContain('got no token: … ');
    expect(detail).not.toContain(secret);
    expect(detail).not.toContain('\u001b');
    expect(detail.length).toBeLessThan(500);
  });

  it('sends its secret to no other issuer', async () => {
    const entry = notes.entry({ oauth: { ...oauth('the-secret-of-the-machine'), issuer: 'http://127.0.0.1:1024' } });
    const { reaches } = await tracked(await place(), entry);
    await reaches('backoff');
    expect(login.tokenRequests).toEqual([]);
  });
});
