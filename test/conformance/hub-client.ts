// The client in the suite's scenarios: it acts through a hub that has the server of the suite, so the suite judges
// the tracker's client and the hub's forwarding. If the server requires a login, `tidings login` logs in as a person
// would.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client';
import { eventually } from '@tidings/live/testing';
import { systemClock } from '@tidings/live/time';
import { type ServerEntry, loadConfig } from '@tidings/track';
import { z } from 'zod';
import { HostedTidings } from '../cli/hosted-tidings.ts';
import { FileLoginStore } from '../../packages/track/src/login/file-login-store.ts';
import { loginKey } from '../../packages/track/src/base/login-key.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import type { Scenario } from './scenario-calls.ts';

/** The most logins for a server that keeps asking for one. */
const mostLogins = 2;
const atWork = ['live', 'unsupported'];
const connectMs = 10_000;
/** The hub notices a login by another process within a second, and later on a busy machine. */
const noticeMs = 10_000;

const metadataSchema = z.object({ authorization_servers: z.tuple([z.string()], z.string()) });

export class HubClient implements AsyncDisposable {
  readonly #folder: string;
  readonly #hub: RunningHub;
  /** The servers of running scenarios, by id. */
  readonly #entries = new Map<string, ServerEntry>();
  #scenarios = 0;

  private constructor(folder: string, hub: RunningHub) {
    this.#folder = folder;
    this.#hub = hub;
  }

  static async start(): Promise<HubClient> {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-conformance-'));
    return new HubClient(folder, await runningHub({ place: folder }));
  }

  /** Call it during a test: the login command ends with its test. */
  async act(scenario: Scenario): Promise<void> {
    this.#scenarios += 1;
    const id = `suite-${this.#scenarios}`;
    const config = join(this.#folder, `${id}.json`);
    const { url } = scenario;
    const entry = { id, url, trackResources: true, oauth: await oauthOf(scenario) };
    await writeFile(config, JSON.stringify({ servers: [entry] }));
    for (const each of loadConfig({ file: config, env: {} }).servers) this.#entries.set(id, each);
    this.#configure();
    try {
      await this.#use(id, scenario, [id, '--data', this.#folder, '--config', config]);
    } finally {
      this.#entries.delete(id);
      this.#configure();
      // The server of a later scenario may get the same port, and must not find this login.
      await new FileLoginStore(this.#folder, systemClock).edit(loginKey(url), async () => undefined);
    }
  }

  /** Logs in if the hub requires it, and uses the server. */
  async #use(id: string, scenario: Scenario, login: string[]): Promise<void> {
    for (let logins = 0; ; logins += 1) {
      const state =
        logins > 0
          ? await this.#settled(id, atWork, noticeMs)
          : await this.#settled(id, [...atWork, 'needs_login'], connectMs);
      const isDone = state !== 'needs_login' && (await callAll(`${this.#hub.url}/mcp/${id}`, scenario));
      if (isDone || logins === mostLogins) return;
      if (state !== 'needs_login' && (logins === 0 || !(await this.#wantsLogin(id)))) return;
      if (!(await logIn(login))) return;
    }
  }

  /** After a failure: whether the hub requires a login. A server that requires more rights is live. */
  async #wantsLogin(id: string): Promise<boolean> {
    const isWanted = () => {
      const { state, detail = '' } = this.#hub.status(id) ?? {};
      return state === 'needs_login' || detail.includes('tidings login');
    };
    return eventually('the hub to want a login', isWanted, noticeMs).catch(() => false);
  }

  /** Some scenarios end before the server is live, since they check only the first requests. */
  async #settled(id: string, states: readonly string[], patienceMs: number): Promise<string | undefined> {
    const stateOf = () => this.#hub.status(id)?.state;
    const isSettled = () => states.includes(stateOf() ?? '');
    await eventually(`${id} to be ${states.join(' or ')}`, isSettled, patienceMs).catch(() => undefined);
    return stateOf();
  }

  #configure(): void {
    this.#hub.hub.apply({ servers: [...this.#entries.values()], tokens: [] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hub[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Follows redirects in place of the browser; returns whether the login succeeded. */
async function logIn(target: string[]): Promise<boolean> {
  const login = new HostedTidings(['login', ...target, '--no-browser', '--timeout', '10']);
  const shown = eventually('the address of the login', () => /^ {2}(https?:.+)$/m.exec(login.stderr)?.[1]);
  const address = await Promise.race([shown, login.ended.then(() => undefined)]);
  // The command reports the result.
  if (address !== undefined) await fetch(address).catch(() => undefined);
  return (await login.ended).code === 0;
}

/** The credentials of a scenario, as in the configuration of a server; undefined if it has none. */
async function oauthOf({ name, url, context }: Scenario): Promise<object | undefined> {
  if (name === 'auth/basic-cimd') {
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
  return { ...grant, clientId, clientSecret, privateKey, algorithm, issuer: await issuerOf(url) };
}

async function issuerOf(url: string): Promise<string> {
  const { origin, pathname } = new URL(url);
  for (const path of [pathname, '']) {
    const answer = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
    if (answer.ok) return metadataSchema.parse(await answer.json()).authorization_servers[0];
  }
  return origin;
}

/** Returns whether every call was answered. */
async function callAll(address: string, { context: { toolCalls } }: Scenario): Promise<boolean> {
  const client = new Client(
    { name: 'conformance', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  let isAnswered = true;
  const failed = () => {
    isAnswered = false;
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  const listed = await client.listTools().catch(failed);
  for (const { name, inputSchema } of listed?.tools ?? []) {
    const own = toolCalls?.filter((call) => call.name === name).map((call) => call.arguments);
    for (const given of own ?? [argumentsFor(inputSchema)]) {
      const answer = await client.callTool({ name, arguments: given }).catch(failed);
      if (answer?.isError) failed();
    }
  }
  await client.close();
  return isAnswered;
}

const typedSchema = z.object({ type: z.string().optional() });

function argumentsFor({ properties = {} }: Tool['inputSchema']): Record<string, unknown> {
  const values: Record<string, unknown> = { number: 1, integer: 1, boolean: true };
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      values[typedSchema.safeParse(property).data?.type ?? ''] ?? 'text',
    ]),
  );
}
