// A hub for one test, over real HTTP.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Era, type TestClient, connectHttp, eventually } from '@tidings/live/testing';
import type { Config, ServerEntry } from '@tidings/track';
import type { ServerStatus } from '@tidings/client/contract';
import { BuiltinServers, type OpenBuiltin } from '../../packages/hub/src/builtins.ts';
import type { HubOptions } from '../../packages/hub/src/hub-options.ts';
import { Hub } from '../../packages/hub/src/hub.ts';
import { ConfigFile } from '../../packages/hub/src/setup/config-file.ts';
import { type Clock, systemClock } from '@tidings/live/time';
import { freePort } from '../support/network/free-port.ts';

export interface RunningHub extends AsyncDisposable {
  hub: Hub;
  url: string;
  connect(era: Era, path?: string, token?: string): Promise<TestClient>;
  /** A request to a route of the hub. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  json(path: string, headers?: Record<string, string>): Promise<unknown>;
  /** Waits until these servers are connected, wanted subscriptions are active, and their definitions have been read. */
  isLive(...ids: string[]): Promise<void>;
  status(id: string): ServerStatus | undefined;
}

export interface RunningHubOptions {
  servers?: readonly ServerEntry[];
  config?: Partial<Config>;
  builtins?: Record<string, OpenBuiltin>;
  /** The servers that redact. Default: all. */
  redacting?: readonly string[];
  /** The servers whose whole state is in the place. Default: none. */
  inDatabase?: readonly string[];
  token?: string;
  /** The folder with the built dashboard. */
  pages?: string;
  env?: Record<string, string>;
  /** A folder that outlives the hub. Default: a temporary one. */
  place?: string;
  port?: number;
  /** The id of this node among others on the same database. */
  node?: string;
  limits?: HubOptions['limits'];
  users?: HubOptions['users'];
  clock?: Clock;
  /** A configuration file that the hub edits. */
  configFile?: string;
  /** Where logins are stored. Default: in the place. */
  logins?: HubOptions['logins'];
}

const silentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export async function runningHub(options: RunningHubOptions = {}): Promise<RunningHub> {
  const { servers = [], config, builtins = {}, token, pages, env = {} } = options;
  const { redacting = Object.keys(builtins), limits = {} } = options;
  const place = options.place ?? (await mkdtemp(join(tmpdir(), 'tidings-hub-')));
  const editor =
    options.configFile === undefined
      ? undefined
      : new ConfigFile({
          file: options.configFile,
          env,
          clock: systemClock,
          assertAgreed: () => undefined,
          apply: async (edited) => hub.apply(edited),
        });
  const hub = await Hub.open({
    config: { servers, tokens: [], ...config },
    builtins: new BuiltinServers(builtins, redacting, options.inDatabase),
    place,
    token,
    pages,
    env: { PATH: process.env['PATH'], ...env },
    allowedHosts: ['127.0.0.1', 'localhost'],
    limits,
    editor,
    ...(options.clock && { clock: options.clock }),
    ...(options.users && { users: options.users }),
    ...(options.logins && { logins: options.logins }),
    ...(options.node !== undefined && { node: { id: options.node } }),
    log: silentLog,
  });
  const { port } = await hub.listen(options.port ?? (await freePort()), '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { headers, redirect: 'manual' });
  const status = (id: string) => hub.tracker.servers().find((server) => server.id === id);
  return {
    hub,
    url,
    get,
    status,
    json: async (path, headers) => (await get(path, headers)).json(),
    connect: (era, path = '/mcp', bearer) =>
      connectHttp(`${url}${path}`, era, bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
    isLive: async (...ids) => {
      for (const id of ids) {
        await eventually(`${id} to be live`, () => {
          const now = status(id);
          return now?.state === 'live' && now.subscribed + now.polled === now.wanted;
        });
        // Definitions are read meanwhile, and announced to clients.
        await hub.tracker.upstream(id).definitions.whenRead();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await hub.close();
      if (options.place === undefined) await rm(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
