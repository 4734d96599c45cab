// The client that the conformance suite runs: it does what a scenario wants through a hub whose only server is the one
// that the suite plays. So what the suite judges is the tracker's client, and what the hub makes of a host's requests.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const url = process.argv.at(-1) ?? '';
const { toolCalls, ...context } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const tidings = fileURLToPath(new URL('../../packages/hub/bin/tidings.js', import.meta.url));
/** What a client may do about a server that keeps wanting more. */
const mostLogins = 2;
const atWork = ['live', 'unsupported'];
const known = [...atWork, 'needs_login'];

const settings = await oauth();
const { CONFORMANCE_HUB: shared, CONFORMANCE_DATA: sharedData } = process.env;
if (shared && settings === undefined) await inSharedHub();
else await inOwnHub();

/** A hub that serves many scenarios, each with a server of its own: to start one takes longer than most scenarios. */
async function inSharedHub() {
  const id = `suite-${process.pid}`;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ id, url });
  const added = await fetch(`${shared}/api/servers`, { method: 'POST', headers, body });
  if (!added.ok) throw new Error(await added.text());
  try {
    await use({ address: shared, id, login: [url, '--data', sharedData] });
  } finally {
    await fetch(`${shared}/api/servers/${id}`, { method: 'DELETE' });
    forgetLogin();
  }
}

/** The server of a later scenario may get the same port, and would then be logged in to already. */
function forgetLogin() {
  const folder = join(sharedData, 'logins');
  // As file-login-store.ts names it: the host, and a hash of the address.
  const hash = createHash('sha256').update(new URL(url).href).digest('hex').slice(0, 16);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((each) => each.endsWith(`-${hash}.json`))) rmSync(join(folder, name));
}

async function inOwnHub() {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-conformance-'));
  const config = join(folder, 'servers.json');
  const data = join(folder, 'data');
  writeFileSync(config, JSON.stringify({ servers: [{ id: 'suite', url, oauth: settings }] }));
  const args = [tidings, 'up', '--port', '0', '--data', data, '--config', config, '--json'];
  const hub = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => hub.once('exit', resolve));
  const stop = () => hub.kill();
  process.once('SIGTERM', stop);
  try {
    for await (const line of createInterface({ input: hub.stdout })) {
      const { url: address } = JSON.parse(line);
      await use({ address, id: 'suite', login: ['suite', '--data', data, '--config', config] });
      break;
    }
  } finally {
    stop();
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** As a person does: logs in where the hub says so, and uses the server. */
async function use(server) {
  for (let logins = 0; ; logins += 1) {
    // A login that was made elsewhere is noticed within a second.
    const state = await settled(server, logins > 0 ? atWork : known);
    const isDone = state !== 'needs_login' && (await callAll(`${server.address}/mcp/${server.id}`));
    if (isDone || logins === mostLogins) return;
    if (state !== 'needs_login' && (logins === 0 || !(await wantsLogin(server)))) return;
    if (!(await logIn(server))) return;
  }
}

/** Something has failed: whether the hub says that it was the login. A server that only wants more of it is live. */
async function wantsLogin(server) {
  for (let tries = 0; tries < 30; tries += 1) {
    const { state, detail } = await status(server);
    if (state === 'needs_login' || detail.includes('tidings login')) return true;
    await pause(100);
  }
  return false;
}

/** Some scenarios end before the server is live: their checks are about the first requests. */
async function settled(server, states) {
  for (let tries = 0; tries < (states === known ? 100 : 30); tries += 1) {
    const { state } = await status(server);
    if (states.includes(state)) return state;
    await pause(100);
  }
  return (await status(server)).state;
}

async function status({ address, id }) {
  const { servers } = await (await fetch(`${address}/api/servers`)).json();
  return servers.find((server) => server.id === id);
}

/** With a stand-in for the browser, which follows redirects. Resolves with whether it succeeded. */
async function logIn({ login: target }) {
  const args = [tidings, 'login', ...target, '--no-browser', '--timeout', '10'];
  const login = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'] });
  const done = new Promise((resolve) => login.once('exit', resolve));
  for await (const line of createInterface({ input: login.stderr })) {
    console.error(line);
    const address = /^ {2}(https?:.+)$/.exec(line)?.[1];
    if (address) void fetch(address).catch(console.error);
  }
  return (await done) === 0;
}

/** What a scenario gives its client, as the entry of a server has it. Undefined: nothing. */
async function oauth() {
  if (process.env.MCP_CONFORMANCE_SCENARIO === 'auth/basic-cimd') {
    return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
  }
  const {
    client_id: clientId,
    client_secret: clientSecret,
    private_key_pem: privateKey,
    signing_algorithm: algorithm,
  } = context;
  if (clientId === undefined) return undefined;
  const isMachine = context.name?.includes('client-credentials');
  const grant = isMachine ? { grant: 'client_credentials' } : {};
  return { ...grant, clientId, clientSecret, privateKey, algorithm, issuer: await issuer() };
}

async function issuer() {
  const { origin, pathname } = new URL(url);
  for (const path of [pathname, '']) {
    const answer = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
    if (answer.ok) return (await answer.json()).authorization_servers[0];
  }
  return origin;
}

/** Resolves with whether every call was answered. */
async function callAll(address) {
  const client = new Client(
    { name: 'conformance', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  const failures = [];
  const failed = (error) => void failures.push(error);
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  const { tools } = await client.listTools().catch((error) => failed(error) ?? { tools: [] });
  for (const { name, inputSchema } of tools) {
    const own = toolCalls?.filter((call) => call.name === name).map((call) => call.arguments);
    for (const given of own ?? [argumentsFor(inputSchema)]) {
      const answer = await client.callTool({ name, arguments: given }).catch(failed);
      if (answer?.isError) failed(answer.content);
    }
  }
  await client.close();
  for (const error of failures) console.error(error);
  return failures.length === 0;
}

function argumentsFor({ properties = {} }) {
  const values = { number: 1, integer: 1, boolean: true };
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, values[type] ?? 'text']));
}
