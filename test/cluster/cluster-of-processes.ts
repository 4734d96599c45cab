// Hubs in separate processes on one database, which can be killed and frozen.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Era, type TestClient, connectHttp, eventually } from '@tidings/live/testing';
import type { ServerStatus } from '@tidings/client/contract';
import { onTestFinished } from 'vitest';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { serversSchema } from '../support/wire/strict-answers.ts';

export interface NodeOptions {
  place: string;
  /** The configuration file's content; without one, the node has no file. */
  config?: object;
  env?: Record<string, string>;
  args?: readonly string[];
}

export class NodeProcess {
  readonly url: string;
  readonly #process: TidingsProcess;

  private constructor(url: string, process: TidingsProcess) {
    this.url = url;
    this.#process = process;
  }

  static async start({ place, config, env = {}, args = [] }: NodeOptions): Promise<NodeProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-node-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const file = join(folder, 'servers.json');
    if (config) await writeFile(file, JSON.stringify(config));
    const flags = ['--port', '0', '--data', place, ...(config ? ['--config', file] : []), '--json', ...args];
    const process = new TidingsProcess(['up', ...flags], { env: { XDG_CONFIG_HOME: folder, ...env }, cwd: folder });
    const { url }: { url: string } = JSON.parse(await process.line());
    return new NodeProcess(url, process);
  }

  get stderr(): string {
    return this.#process.stderr;
  }

  async status(id: string): Promise<ServerStatus | undefined> {
    const { servers } = serversSchema.parse(await this.json('/api/servers'));
    return servers.find((server) => server.id === id);
  }

  async json(path: string): Promise<unknown> {
    return (await fetch(`${this.url}${path}`)).json();
  }

  connect(era: Era, path = '/mcp'): Promise<TestClient> {
    return connectHttp(`${this.url}${path}`, era);
  }

  async kill(): Promise<void> {
    await this.#process.end('SIGKILL');
  }

  async stop(): Promise<number | null> {
    return (await this.#process.end('SIGTERM')).code;
  }

  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    this.#process.child.kill(name);
  }
}

/** The nodes, that which is connected to the server first; resolves when all nodes know it. */
export async function byOwner(nodes: readonly NodeProcess[], id: string): Promise<NodeProcess[]> {
  return eventually(`a node to be connected to ${id}`, async () => {
    const states = await Promise.all(nodes.map((node) => node.status(id)));
    const owners = new Set(states.map((status) => status?.node));
    if (owners.size !== 1 || states.some((status) => status?.state !== 'live')) return undefined;
    const owned = await Promise.all(nodes.map(async (node) => (await ownId(node)) === states[0]?.node));
    if (!owned.includes(true)) return undefined;
    return nodes.toSorted((a, b) => Number(owned[nodes.indexOf(b)]) - Number(owned[nodes.indexOf(a)]));
  });
}

/** The node's id, from its metrics. */
export async function ownId(node: NodeProcess): Promise<string | undefined> {
  const text = await (await fetch(`${node.url}/metrics`)).text();
  return /node="([^"]+)"/.exec(text)?.[1];
}
