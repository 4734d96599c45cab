// `tidings login` and `tidings logout` with a real authorization server.
import { stat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { AuthorizationServer } from '../support/counterpart/authorization-server.js';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { addressShown, browse, logIn, loginArguments, machineWith, startedLogin, stored } from './logged-in.ts';
import { ProtectedNotes } from './protected-notes.ts';

let login: AuthorizationServer;
let notes: ProtectedNotes;

beforeAll(async () => {
  login = await AuthorizationServer.start();
  notes = await ProtectedNotes.start(login);
});

beforeEach(() => {
  login.refusal = undefined;
});

afterAll(async () => {
  await notes[Symbol.asyncDispose]();
  await login[Symbol.asyncDispose]();
});

describe('tidings login', () => {
  it('stores the login with permissions for its owner only, and other commands use it', async () => {
    const machine = await machineWith(notes.entry());
    const { code, stdout } = await logIn(machine, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ server: 'notes', url: notes.url, issuer: login.issuer, renews: true });
    const { tokens } = await stored(machine);
    expect(stdout).not.toContain(tokens?.accessToken);
    const folder = join(machine.data, 'logins');
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
    expect((await stat(folder)).mode & 0o077).toBe(0);

    const env = { TIDINGS_DATA: machine.data };
    const listed = await tidingsCommand(['list', '--server', notes.url], { env });
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('note://first') });
    const without = await tidingsCommand(['list', '--server', notes.url], {
      env: { TIDINGS_DATA: join(machine.data, 'other') },
    });
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining(`tidings login ${notes.url}`) });
    const audit = await tidingsCommand(['audit', '--json', '--data', machine.data]);
    expect(audit.stdout).toContain('"method":"server-login"');
    expect(audit.stdout).not.toContain(tokens?.accessToken);
  });

  it('accepts the callback address of a browser on another machine, and no other address', async () => {
    const machine = await machineWith(notes.entry());
    // Only this test needs a real stdin.
    const command = new TidingsProcess(loginArguments(machine));
    const address = await addressShown(command);
    const { url } = await browse(address, /^http:\/\/127\.0\.0\.1:\d+\/callback/);
    const forged = new URL(url);
    forged.searchParams.set('state', 'of-another-login');
    command.child.stdin.write(`${forged.href}\n`);
    command.child.stdin.write(`${url}\n`);
    const { code, stderr, stdout } = await command.ended;
    expect(stderr).toContain('This is not the address of the login that was started here.');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Logged in to notes') });
  });

  it('refuses a callback with another state, and keeps waiting for its own', async () => {
    const machine = await machineWith(notes.entry());
    const { command, address } = await startedLogin(machine);
    const callback = new URL(address).searchParams.get('redirect_uri') ?? '';
    const answer = await fetch(`${callback}?code=stolen&state=guessed`);
    expect(answer.status).toBe(400);
    const { text } = await browse(address);
    expect(text).toContain('You are logged in.');
    expect((await command.ended).code).toBe(0);
  });

  it('refuses a callback of another issuer', async () => {
    const machine = await machineWith(notes.entry());
    const { command, address } = await startedLogin(machine);
    const { url } = await browse(address, /^http:\/\/127\.0\.0\.1:\d+\/callback/);
    const forged = new URL(url);
    forged.searchParams.set('iss', 'https://evil.example');
    const before = login.tokenRequests.length;
    expect((await fetch(forged)).status).toBe(400);
    expect(await command.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('The login has failed: ') });
    expect(login.tokenRequests.length).toBe(before);
    expect((await stored(machine).catch(() => undefined))?.tokens).toBeUndefined();
  });

  it("prints the authorization server's message without terminal escapes", async () => {
    const machine = await machineWith(notes.entry());
    login.refusal = { error: 'access_denied', error_description: `no\u001b[2J ${'x'.repeat(5000)}` };
    const { code, stderr } = await logIn(machine);
    expect(code).toBe(1);
    expect(stderr).toContain('error: You, or the authorization server, did not allow it: no');
    expect(stderr).not.toContain('\u001b');
    expect(stderr.length).toBeLessThan(2000);
  });

  it('uses the same callback address again, and registers again if its port is taken', async () => {
    const machine = await machineWith(notes.entry());
    await logIn(machine);
    const { redirectUri } = await stored(machine);
    const first = await startedLogin(machine);
    expect(new URL(first.address).searchParams.get('redirect_uri')).toBe(redirectUri);
    const second = await startedLogin(machine);
    const [clientOf, callbackOf] = ['client_id', 'redirect_uri'].map(
      (name) =>
        ({ address }: { address: string }) =>
          new URL(address).searchParams.get(name),
    );
    expect(callbackOf?.(second)).not.toBe(redirectUri);
    expect(clientOf?.(second)).not.toBe(clientOf?.(first));
    await browse(second.address);
    expect((await second.command.ended).code).toBe(0);
    await first.command.end('SIGINT');
  });

  it('fails with a message when its time is over', async () => {
    const { command } = await startedLogin(await machineWith(notes.entry()), '--timeout', '1');
    expect(await command.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The login was not completed within 1 s.'),
    });
  });

  it.each([
    ['note', {}, 'Did you mean "notes"?'],
    ['notes', { headers: { Authorization: 'Bearer x' } }, 'has credentials of its own'],
    ['notes', { url: 'http://127.0.0.1:1024/mcp' }, 'Nothing answers at'],
  ])('%s with %j: %s', async (server, more, words) => {
    const machine = await machineWith({ ...notes.entry(), ...more });
    const ended = await tidingsCommand(['login', server, '--no-browser', ...machine.flags]);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  });
});

describe('tidings logout', () => {
  it('revokes the login and deletes it', async () => {
    const machine = await machineWith(notes.entry());
    await logIn(machine);
    const { tokens } = await stored(machine);
    expect(await login.scopesOf(tokens?.accessToken ?? '', notes.url)).toContain('notes:read');
    const ended = await tidingsCommand(['logout', 'notes', '--json', ...machine.flags]);
    expect(ended).toMatchObject({ code: 0 });
    expect(JSON.parse(ended.stdout)).toEqual({ server: 'notes', url: notes.url, revoked: 'yes' });
    expect(await login.scopesOf(tokens?.accessToken ?? '', notes.url)).toBeUndefined();
    expect((await stored(machine)).tokens).toBeUndefined();
    const again = await tidingsCommand(['logout', 'notes', ...machine.flags]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no login at notes.') });
  });
});
