// PostgreSQL, NATS, three nodes and the documented balancer; each of them can fail.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import { Balancer } from '../../support/network/balancer.ts';
import { NatsServer } from '../../support/service/nats.ts';
import { PostgresServer } from '../../support/service/postgres.ts';
import { serversSchema } from '../../support/wire/strict-answers.ts';
import { ClusterNode } from './node.ts';

const nodeCount = 3;
const startMs = 90_000;

export interface ClusterSettings {
  servers: readonly ServerEntry[];
  /** The URL that receives all notifications of the schedules server. */
  sink: string;
}

export class ChaosCluster implements AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly nats: NatsServer;
  readonly nodes: readonly ClusterNode[];
  readonly #balancer: Balancer;
  readonly #folder: string;

  private constructor(parts: Pick<ChaosCluster, 'postgres' | 'nats' | 'nodes'>, balancer: Balancer, folder: string) {
    this.postgres = parts.postgres;
    this.nats = parts.nats;
    this.nodes = parts.nodes;
    this.#balancer = balancer;
    this.#folder = folder;
  }

  static async open({ servers, sink }: ClusterSettings): Promise<ChaosCluster> {
    const [postgres, nats] = await Promise.all([PostgresServer.start(), NatsServer.start()]);
    const folder = await mkdtemp(join(tmpdir(), 'tidings-chaos-cluster-'));
    const [config, destinations] = [join(folder, 'servers.json'), join(folder, 'destinations.json')];
    await writeFile(config, JSON.stringify({ servers }));
    const webhook = { kind: 'webhook', url: sink, secret_env: 'SINK_SECRET', pause_seconds: 1 };
    await writeFile(destinations, JSON.stringify({ destinations: { sink: webhook }, topics: { '*': 'sink' } }));
    const secret = `whsec_${Buffer.from('the secret of the chaos suite').toString('base64')}`;
    const env = { TIDINGS_DESTINATIONS: destinations, SINK_SECRET: secret };
    const settings = { config, env, place: await postgres.createDatabase(), bus: nats.url };
    const nodes = await Promise.all(Array.from({ length: nodeCount }, () => ClusterNode.open(settings)));
    const balancer = await Balancer.start(nodes.map(({ clients }) => Number(new URL(clients.url).port)));
    return new ChaosCluster({ postgres, nats, nodes }, balancer, folder);
  }

  /** The only address that clients get. */
  get url(): string {
    return this.#balancer.url;
  }

  get pids(): readonly number[] {
    return this.nodes.flatMap(({ pid }) => pid ?? []);
  }

  async isLive(): Promise<void> {
    await eventually('every server to be live on every node', () => this.#areLive(), startMs);
  }

  /** For failure messages: the state of a server on each node, and the last log lines about it. */
  async describe(serverId: string): Promise<string> {
    const words = this.nodes.map(async ({ url, stderr }) => {
      const own = await this.#servers(url).then(
        (servers) => JSON.stringify(servers.find(({ id }) => id === serverId)),
        (error: unknown) => String(error),
      );
      const logged = stderr.split('\n').filter((line) => line.includes(`"server":"${serverId}"`));
      return [`${url}: ${own}`, ...logged.slice(-5)].join('\n');
    });
    return (await Promise.all(words)).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#balancer[Symbol.asyncDispose]();
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
    await this.nats[Symbol.asyncDispose]();
    await this.postgres.remove();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #areLive(): Promise<boolean> {
    const answers = await Promise.all(this.nodes.map(({ url }) => this.#servers(url)));
    return answers.flat().every(({ state }) => state === 'live');
  }

  async #servers(url: string) {
    return serversSchema.parse(await (await fetch(`${url}/api/servers`)).json()).servers;
  }
}
