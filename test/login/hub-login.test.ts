// A hub in its own process with a server that requires a login, from its user's view.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { AuthorizationServer } from '../support/counterpart/authorization-server.js';
import { serversSchema } from '../support/wire/strict-answers.ts';
import { logIn, machineWith, stored } from './logged-in.ts';
import { ProtectedNotes } from './protected-notes.ts';

it('a server is used from the login of its user to the logout, and no token is shown', async () => {
  await using login = await AuthorizationServer.start();
  await using notes = await ProtectedNotes.start(login);
  const machine = await machineWith(notes.entry());
  const hub = new TidingsProcess(['up', '--port', '0', '--json', '--log-level', 'info', ...machine.flags]);
  const { url }: { url: string } = JSON.parse(await hub.line());
  const said: string[] = [];
  const status = async () => {
    const text = await (await fetch(`${url}/api/servers`)).text();
    said.push(text);
    return serversSchema.parse(JSON.parse(text)).servers[0];
  };
  const reaches = (state: string) =>
    eventually(`the state ${state}`, async () => {
      const found = await status();
      return found?.state === state ? found : undefined;
    });
  const secrets = new Set<string>();
  const note = async () => {
    const { tokens } = await stored(machine);
    for (const secret of [tokens?.accessToken, tokens?.refreshToken]) if (secret) secrets.add(secret);
  };

  expect((await reaches('needs_login')).detail).toContain('Run "tidings login notes"');
  // A server that needs a login is tried again a few times soon, and counts as away meanwhile.
  const listed = await eventually('the list to say so', async () => {
    const ended = await tidingsCommand(['list', '--servers', '--hub', url]);
    return ended.stdout.includes('needs a login') && ended;
  });
  const doctor = await tidingsCommand(['doctor', '--port', '0', ...machine.flags]);
  expect(doctor.stdout).toContain('Run "tidings login notes"');

  const done = await logIn(machine);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('Logged in to notes.') });
  await note();
  await reaches('live');
  const read = await tidingsCommand(['read', 'note://first', '--hub', url]);
  expect(read).toMatchObject({ code: 0, stdout: 'one' });

  login.forgetAccessTokens();
  await eventually('the renewed login', async () => {
    await note();
    return secrets.size >= 4;
  });
  expect(login.tokenRequests).toContain('refresh_token ok');
  await reaches('live');

  const out = await tidingsCommand(['logout', 'notes', ...machine.flags]);
  expect(out).toMatchObject({ code: 0, stdout: 'Logged out of notes. It was revoked.\n' });
  await reaches('needs_login');

  for (const path of ['/api/events?last=1000', '/api/servers/notes', '/metrics', '/api/resources']) {
    said.push(await (await fetch(`${url}${path}`)).text());
  }
  const { stdout, stderr } = await hub.end('SIGTERM');
  const audit = join(machine.data, 'audit');
  for (const name of await readdir(audit)) said.push(await readFile(join(audit, name), 'utf8'));
  said.push(stdout, stderr, done.stdout, done.stderr, doctor.stdout, listed.stdout);
  expect(stderr).toContain('needs_login');
  for (const secret of secrets) expect(said.filter((text) => text.includes(secret))).toEqual([]);
});
