// A hub in front of a server at which every user has a login of its own: two users with tokens of the hub, the operator,
// and an authorization server at which each of them has an account.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { begunLogin } from '@tidings/client/contract';
import type { Era, TestClient } from '@tidings/live/testing';
import type { Config, UrlEntry } from '@tidings/track';
import { onTestFinished } from 'vitest';
import type { HubOptions } from '../../packages/hub/src/hub-options.ts';
import { type RunningHub, type RunningHubOptions, runningHub } from '../hub/running-hub.ts';
import { AuthorizationServer } from '../support/counterpart/authorization-server.js';
import { serversSchema } from '../support/wire/strict-answers.ts';
import { AccountServer } from './account-server.ts';
import { browse } from './logged-in.ts';
import { quickLogin } from './quick-login.ts';

export const tokens = { operator: 'the-token-of-the-operator', ada: 'the-token-of-ada', bob: 'the-token-of-bob' };
export type Person = keyof typeof tokens;

export const redirectUri = 'http://127.0.0.1:1024/callback';

export interface HubWithUsers {
  hub: RunningHub;
  login: AuthorizationServer;
  accounts: AccountServer;
  place: string;
  options: RunningHubOptions;
  /** As a user does it, without the command. */
  logIn(this: void, person: Person): Promise<Response>;
  connect(this: void, person: Person, path?: string): Promise<TestClient>;
  /** A request to a route of the hub. */
  ask(this: void, person: Person, path: string, init?: { method?: string; body?: unknown }): Promise<Response>;
  stateFor(this: void, person: Person): Promise<string | undefined>;
}

export interface UsersOptions {
  /** Of the server, and of the clients. */
  era?: Era;
  entry?: Partial<UrlEntry>;
  config?: Partial<Config>;
  users?: HubOptions['users'];
  clock?: RunningHubOptions['clock'];
}

/** Everything is closed when the test has finished. */
export async function hubWithUsers({
  era = 'modern',
  entry,
  config,
  users,
  clock,
}: UsersOptions = {}): Promise<HubWithUsers> {
  const login = await AuthorizationServer.start();
  onTestFinished(() => login[Symbol.asyncDispose]());
  const accounts = await AccountServer.start(login, era);
  onTestFinished(() => accounts[Symbol.asyncDispose]());
  const place = await mkdtemp(join(tmpdir(), 'tidings-users-'));
  onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
  login.user = 'operator';
  await quickLogin(place, accounts.url);
  const options: RunningHubOptions = {
    servers: [accounts.entry(entry)],
    config: { tokens: [{ env: 'ADA' }, { env: 'BOB', servers: ['accounts'], tools: ['accounts_*'] }], ...config },
    env: { ADA: tokens.ada, BOB: tokens.bob },
    token: tokens.operator,
    place,
    ...(users && { users }),
    ...(clock && { clock }),
  };
  const hub = await runningHub(options);
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.isLive('accounts');
  return { hub, login, accounts, place, options, ...askerOf(hub, login, era) };
}

/** The requests of people to a hub. */
export function askerOf(hub: RunningHub, login: AuthorizationServer, era: Era) {
  const ask: HubWithUsers['ask'] = (person, path, { method, body } = {}) =>
    fetch(`${hub.url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        Authorization: `Bearer ${tokens[person]}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const connect = async (person: Person, path = '/mcp') => {
    const client = await hub.connect(era, path, tokens[person]);
    onTestFinished(() => client.close());
    return client;
  };
  const stateFor = async (person: Person) => {
    const { servers } = serversSchema.parse(await (await ask(person, '/api/servers')).json());
    return servers.find(({ id }) => id === 'accounts')?.state;
  };
  const logIn = async (person: Person) => {
    const begun = begunLogin.parse(await (await ask(person, '/api/logins/accounts', { body: { redirectUri } })).json());
    const callback = await cameBack(login, person, begun.address);
    return ask(person, '/api/logins/accounts/callback', { body: callback });
  };
  return { ask, connect, stateFor, logIn };
}

/** What the browser of this person comes back with. */
export async function cameBack(
  login: AuthorizationServer,
  person: string,
  address: string,
): Promise<Record<string, string>> {
  login.user = person;
  const { url } = await browse(address, /:1024\/callback/);
  return Object.fromEntries(new URL(url).searchParams);
}
