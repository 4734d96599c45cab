// `tidings login` with misbehaving authorization servers, servers and local programs.
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { addressShown, browse, logIn, loginArguments, machineWith } from './logged-in.ts';
import { ProtectedNotes } from './protected-notes.ts';
import { ScriptedAuthorization } from './scripted-authorization.ts';
import { timeLimit } from '../support/run/time-limit.ts';

let login: ScriptedAuthorization;
let notes: ProtectedNotes;

beforeAll(async () => {
  login = await ScriptedAuthorization.start();
  notes = await ProtectedNotes.start(login);
});

beforeEach(() => {
  login.token = {};
  login.answerToken = undefined;
  login.metadata = {};
  login.intercept = undefined;
});

afterAll(async () => {
  await notes[Symbol.asyncDispose]();
  await login[Symbol.asyncDispose]();
});

/** A connection to the callback that sends this text, and reads nothing. */
async function opened(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
}

describe('the callback', () => {
  it('answers invalid requests, and idle connections do not keep the command running', async () => {
    const machine = await machineWith(notes.entry());
    const command = new TidingsProcess(loginArguments(machine));
    const address = await addressShown(command);
    const callback = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    const port = Number(callback.port);
    for (const text of ['', 'GET /callback HTTP/1.1\r\nHost', 'GET //[ HTTP/1.1\r\nHost: x\r\n\r\n']) {
      await opened(port, text);
    }
    const answered = async (path: string, init?: RequestInit) => (await fetch(new URL(path, callback), init)).status;
    expect(await answered('/favicon.ico')).toBe(404);
    expect(await answered('/callback', { method: 'POST' })).toBe(404);
    expect(await answered(`/callback?state=${'x'.repeat(10_000)}`)).toBe(400);
    const html = await fetch(`${callback.href}?error=a&error_description=<script>`);
    expect(await html.text()).not.toContain('<script>');
    expect((await browse(address)).text).toContain('You are logged in.');
    const start = performance.now();
    expect(await command.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Logged in to notes') });
    expect(performance.now() - start).toBeLessThan(timeLimit(5000));
  });
});

it('login reports that the port of the callback is in use', async () => {
  const { port } = new URL(notes.url);
  const ended = await tidingsCommand(loginArguments(await machineWith(notes.entry()), '--port', port));
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use.`) });
});

describe('an authorization server', () => {
  it('that does not respond can be left with Ctrl-C', async () => {
    const machine = await machineWith(notes.entry());
    let isAsked = false;
    login.intercept = () => (isAsked = true);
    const command = new TidingsProcess(loginArguments(machine));
    await eventually('the first request', () => isAsked);
    const { code, stderr, ms } = await command.end('SIGINT');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: Interrupted.\n' });
    expect(ms).toBeLessThan(timeLimit(5000));
  });

  it.each(['http://login.example/authorize', 'vscode://localhost/authorize'])(
    'with the authorization endpoint %s is refused',
    async (endpoint) => {
      login.metadata = { authorization_endpoint: endpoint };
      const machine = await machineWith(notes.entry());
      const ended = await tidingsCommand(loginArguments(machine));
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('not reached over https') });
      expect(ended.stderr).not.toContain('Open this address');
    },
  );

  it.each([0, -5, 1e300, 1e14, '3600'])('may issue tokens with a lifetime of %j s', async (expires_in) => {
    login.token = { expires_in };
    const machine = await machineWith(notes.entry());
    expect(await logIn(machine, '--json')).toMatchObject({ code: 0 });
    const before = login.renewals;
    const env = { TIDINGS_DATA: machine.data };
    const read = await tidingsCommand(['read', 'note://first', '--server', notes.url], { env });
    expect(read).toMatchObject({ code: 0, stdout: 'one' });
    expect(login.renewals).toBe(before);
  });

  it.each(['<html>', '[]', '{"expires_in": "soon"}', ''])(
    'that answers %j to a token request causes an error',
    async (body) => {
      login.answerToken = (res) => void res.setHeader('Content-Type', 'application/json').end(body);
      const { code, stderr } = await logIn(await machineWith(notes.entry()));
      expect(code).toBe(1);
      expect(stderr).toContain(
        'error: The login has failed: The authorization server gave an answer that is not one of',
      );
    },
  );

  it.each(['', 'two\r\nlines', '\u2028'])(
    'that issues a token which no header can carry (%j) causes an error',
    async (access_token) => {
      login.token = { access_token };
      const { code, stderr } = await logIn(await machineWith(notes.entry()));
      expect(code).toBe(1);
      expect(stderr).toContain(
        'error: The login has failed: The authorization server gave a token that cannot be sent.',
      );
    },
  );
});

it('secrets in the URL of a server are not shown', async () => {
  const url = `${notes.url}?key=the-secret-of-the-url&of=the-secret-of-another`;
  const machine = await machineWith(notes.entry({ url }));
  const said: string[] = [];
  const note = ({ stdout, stderr }: { stdout: string; stderr: string }) => void said.push(stdout, stderr);
  note(await logIn(machine, '--json'));
  note(await tidingsCommand(['logout', 'notes', '--json', ...machine.flags]));
  note(await tidingsCommand(['logout', url, ...machine.flags]));
  note(await tidingsCommand(['login', url.replace('//', '//me:the-secret-of-mine@'), ...machine.flags]));
  const audit = join(machine.data, 'audit');
  for (const name of await readdir(audit)) said.push(await readFile(join(audit, name), 'utf8'));
  expect(said.join('\n')).toContain('server-logout');
  expect(said.join('\n')).not.toContain('the-secret');
});
