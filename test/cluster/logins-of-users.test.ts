// Logins per user at two nodes on one database: each node connects for its own users, and the operator's connection is
// that of one node.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { systemClock } from '@tidings/live/time';
import { expect, it, onTestFinished } from 'vitest';
import { FileLoginStore } from '../../packages/track/src/login/file-login-store.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { AccountServer } from '../login/account-server.ts';
import { type Person, askerOf, tokens } from '../login/hub-with-users.ts';
import { quickLogin } from '../login/quick-login.ts';
import { AuthorizationServer } from '../support/counterpart/authorization-server.js';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

const me = `/resources/${encodeURIComponent('account://me')}`;

/** Closed when the test has finished. */
function closedAfter<T extends AsyncDisposable>(made: T): T {
  onTestFinished(() => made[Symbol.asyncDispose]());
  return made;
}

/** Both use one folder of logins. */
async function nodesWithUsers() {
  const login = closedAfter(await AuthorizationServer.start());
  const accounts = closedAfter(await AccountServer.start(login));
  const notes = closedAfter(await NotesUpstream.start('modern'));
  const folder = await mkdtemp(join(tmpdir(), 'tidings-logins-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  login.user = 'operator';
  await quickLogin(folder, accounts.url);
  const options = {
    place: await freshDatabase(),
    servers: [accounts.entry(), notes.entry('notes')],
    config: { tokens: [{ env: 'ADA' }, { env: 'BOB' }] },
    env: { ADA: tokens.ada, BOB: tokens.bob },
    token: tokens.operator,
  };
  const start = async (node: string) =>
    closedAfter(await runningHub({ ...options, node, logins: new FileLoginStore(folder, systemClock) }));
  const hubs = [await start('one'), await start('two')];
  const isLive = ({ hub }: RunningHub, id: string) => hub.tracker.upstream(id).status().state === 'live';
  for (const hub of hubs)
    for (const id of ['accounts', 'notes']) await eventually(`${id} to be live`, () => isLive(hub, id));
  return { accounts, notes, hubs, nodes: hubs.map((hub) => askerOf(hub, login, 'modern')) };
}

describeWith(postgresNeed, 'two nodes of a hub with logins per user', () => {
  it('show each user its own account, and a login at one of them counts at the other', async () => {
    const { accounts, nodes } = await nodesWithUsers();
    const [one, two] = nodes;
    const accountOf = async (node: (typeof nodes)[number] | undefined, person: Person) => {
      const answer = await node?.ask(person, me);
      return answer?.ok ? answer.text() : answer?.status;
    };
    for (const node of nodes) {
      expect(await accountOf(node, 'operator')).toBe('operator');
      for (const person of ['ada', 'bob'] as const) expect(await accountOf(node, person)).toBe(503);
    }
    expect((await one?.logIn('ada'))?.status).toBe(200);
    expect((await two?.logIn('bob'))?.status).toBe(200);
    for (const node of nodes) {
      for (const person of ['operator', 'ada', 'bob'] as const)
        await eventually(`the account of ${person}`, async () => (await accountOf(node, person)) === person);
    }
    const clients = await Promise.all(nodes.map((node) => node.connect('ada')));
    for (const client of clients) {
      const uris = await client.listAll();
      expect(uris.filter((uri) => /operator|bob/.test(uri))).toEqual([]);
      await client.subscribe('inbox://ada/1');
      expect(await client.call('accounts_whoami')).toBe('ada');
    }
    for (const owner of ['operator', 'bob', 'ada']) accounts.change(owner, 1);
    for (const client of clients) {
      await eventually('the update', () => client.updates.includes('inbox://ada/1'));
      expect(await client.call('list_changes')).not.toContain('"accounts"');
      expect(client.updates.filter((uri) => !uri.startsWith('inbox://ada/'))).toEqual([]);
    }
  });

  it('let the operator alone remove a server and switch the tracking of such a one, at either node', async () => {
    const { hubs, nodes } = await nodesWithUsers();
    const tracking = { method: 'PATCH', body: { tracked: false } };
    for (const { ask } of nodes) {
      for (const id of ['notes', 'accounts']) {
        const removed = await ask('ada', `/api/servers/${id}`, { method: 'DELETE' });
        expect([id, removed.status]).toEqual([id, 403]);
      }
      expect((await ask('ada', '/api/servers/accounts', tracking)).status).toBe(403);
    }
    for (const hub of hubs) expect(hub.status('accounts')?.tracked).toBe(true);
  });
});
