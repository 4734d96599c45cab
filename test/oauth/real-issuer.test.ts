// The whole flow with a real authorization server: clients that have only the hub's address find the authorization
// server, log in, and read.
import {
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { connectStdio, eventually } from '@tidings/live/testing';
import { writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { HostedTidings, tidingsCommand } from '../cli/hosted-tidings.ts';
import { bin } from '../cli/tidings-process.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type Machine, browse, logIn, machineWith, stored } from '../login/logged-in.ts';
import { AuthorizationServer } from '../support/counterpart/authorization-server.js';
import { freePort } from '../support/network/free-port.ts';
import { serversSchema } from '../support/wire/strict-answers.ts';

const redirectUri = 'http://127.0.0.1:1024/callback';

/** The SDK's interface for a client: a store, and a fake browser. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = redirectUri;
  readonly clientMetadata = { client_name: 'A client', redirect_uris: [redirectUri] };
  callback: URLSearchParams | undefined;
  /** The requested scope. */
  scope: string | null = null;
  resource: string | null = null;
  #client: ReturnType<OAuthClientProvider['clientInformation']>;
  #tokens: ReturnType<OAuthClientProvider['tokens']>;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  saveDiscoveryState(discovery: OAuthDiscoveryState) {
    this.#discovery = discovery;
  }

  discoveryState() {
    return this.#discovery;
  }

  clientInformation() {
    return this.#client;
  }

  saveClientInformation(client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0]) {
    this.#client = client;
  }

  tokens() {
    return this.#tokens;
  }

  saveTokens(tokens: Parameters<OAuthClientProvider['saveTokens']>[0]) {
    this.#tokens = tokens;
  }

  async redirectToAuthorization(address: URL) {
    this.scope = address.searchParams.get('scope');
    this.resource = address.searchParams.get('resource');
    const { url } = await browse(address.href, /:1024\/callback/);
    this.callback = new URL(url).searchParams;
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }

  codeVerifier() {
    return this.#verifier;
  }
}

async function authorizationServer(): Promise<AuthorizationServer> {
  const login = await AuthorizationServer.start();
  onTestFinished(() => login[Symbol.asyncDispose]());
  login.tokenFormat = 'jwt';
  return login;
}

/** A hub in its own process that knows its public address. */
async function protectedHub(login: AuthorizationServer, more: object = {}) {
  const upstream = await NotesUpstream.start('modern');
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  upstream.put('a', 'first');
  const machine = await machineWith();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const grants = [
    { scope: 'notes:read notes:write', servers: ['notes'], tools: ['notes_*'] },
    { scope: 'notes:read', servers: ['notes'] },
  ];
  const oauth = { issuers: [{ issuer: login.issuer, audience: `${url}/mcp`, scopes: ['notes:read'], grants }] };
  const { url: address } = upstream.entry('notes');
  await writeFile(
    machine.config,
    JSON.stringify({ servers: [{ id: 'notes', url: address, trackResources: true }], oauth, ...more }),
  );
  const hub = new HostedTidings(['up', '--port', String(port), '--json', ...machine.flags]);
  await hub.line();
  return { url, machine, upstream, hub };
}

/** Connects; if a login is needed, logs in once and connects again. */
async function connected(url: string, mode: 'auto' | 'legacy', person: Person): Promise<Client> {
  const open = async () => {
    const client = new Client({ name: 'a-client', version: '1.0.0' }, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: person });
    return { transport, client, connecting: client.connect(transport) };
  };
  const first = await open();
  try {
    await first.connecting;
    return first.client;
  } catch (error) {
    if (person.callback === undefined) throw error;
    await first.transport.finishAuth(person.callback);
    const second = await open();
    await second.connecting;
    return second.client;
  }
}

it.each([
  ['auto', '/mcp'],
  ['legacy', '/mcp'],
  ['auto', '/mcp/notes'],
  ['legacy', '/mcp/notes'],
] as const)('an SDK client (%s) finds everything from the refusal at %s', async (mode, path) => {
  const login = await authorizationServer();
  const { url } = await protectedHub(login);
  const person = new Person();
  const client = await connected(`${url}${path}`, mode, person);
  onTestFinished(() => client.close());
  expect(person).toMatchObject({ scope: 'notes:read', resource: `${url}${path}` });
  const { contents } = await client.readResource({ uri: 'note://a' });
  expect(contents).toMatchObject([{ text: 'first' }]);
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('notes_put_note');
});

it.each(['auto', 'legacy'] as const)('an SDK client (%s) asks for the scopes that its token lacks', async (mode) => {
  const login = await authorizationServer();
  const { url } = await protectedHub(login);
  const person = new Person();
  // The person agrees to less than what the client asks for, and to all of it the second time.
  login.scopes = [];
  await expect(connected(`${url}/mcp`, mode, person)).rejects.toThrow();
  expect(person.scope).toBe('notes:read');
  login.scopes = ['notes:read'];
  const client = await connected(`${url}/mcp`, mode, person);
  onTestFinished(() => client.close());
  const { contents } = await client.readResource({ uri: 'note://a' });
  expect(contents).toMatchObject([{ text: 'first' }]);
});

it('commands use an access token like a token of the hub, and the audit log names its owner', async () => {
  const login = await authorizationServer();
  login.user = 'grace';
  const { url, machine, hub } = await protectedHub(login);
  const person = new Person();
  const client = await connected(`${url}/mcp`, 'auto', person);
  await client.close();
  const { access_token: token = '' } = (await person.tokens()) ?? {};
  const env = { TIDINGS_TOKEN: token };
  const listed = await tidingsCommand(['list', '--hub', url], { env });
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('note://a') });
  expect(await tidingsCommand(['read', 'note://a', '--hub', url], { env })).toMatchObject({ code: 0, stdout: 'first' });
  const bridge = await connectStdio({ command: process.execPath, args: [bin, 'connect', '--hub', url], env }, 'modern');
  expect(await bridge.read('note://a')).toBe('first');
  await bridge.close();
  const refused = await tidingsCommand(['list', '--hub', url], { env: { TIDINGS_TOKEN: `${token}x` } });
  expect(refused.code).toBe(1);
  const audited = await eventually('the audit log', async () => {
    const { stdout } = await tidingsCommand(['audit', '--json', ...machine.flags.slice(0, 2)]);
    return stdout.includes('resources/read') ? stdout : undefined;
  });
  expect(audited).toContain(`"who":"${login.issuer}#grace (grants.1)"`);
  for (const text of [audited, hub.stdout, hub.stderr]) expect(text).not.toContain(token.split('.')[2] ?? '-');
  const doctor = await tidingsCommand(['doctor', '--port', '0', ...machine.flags]);
  expect(doctor.stdout).toMatch(new RegExp(`ok ${login.issuer} .*answers \\(\\d+ key`));
});

it('another hub logs in at this hub, and renews its login', async () => {
  const login = await authorizationServer();
  const { url, upstream } = await protectedHub(login);
  const machine: Machine = await machineWith({ id: 'notes', url: `${url}/mcp/notes`, trackResources: true });
  const second = new HostedTidings(['up', '--port', '0', '--json', ...machine.flags]);
  const { url: secondUrl }: { url: string } = JSON.parse(await second.line());
  const state = async () => {
    const { servers } = serversSchema.parse(await (await fetch(`${secondUrl}/api/servers`)).json());
    return servers[0]?.state;
  };
  await eventually('the wish for a login', async () => (await state()) === 'needs_login', 20_000);
  login.tokenLife = 4;
  expect(await logIn(machine)).toMatchObject({ code: 0 });
  const { tokens } = await stored(machine);
  await eventually('the connection', async () => (await state()) === 'live', 20_000);
  await eventually('a renewed login', async () => login.tokenRequests.includes('refresh_token ok'), 20_000);
  const note = async () => (await fetch(`${secondUrl}/resources/note%3A%2F%2Fa`)).text();
  expect(await note()).toBe('first');
  upstream.put('a', 'second');
  await eventually('the update', async () => (await note()) === 'second', 20_000);
  expect(await eventually('the state', async () => (await state()) === 'live')).toBe(true);
  expect((await stored(machine)).tokens?.accessToken).not.toBe(tokens?.accessToken);
});
