// A node of the cluster: a process that can be killed and started again on its port. Its connections to PostgreSQL and
// NATS, and those of the balancer and the other nodes to it, go through one proxy each.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { TidingsProcess } from '../../cli/tidings-process.ts';
import { FaultyProxy } from '../../support/network/faulty-proxy.ts';
import { freePort } from '../../support/network/free-port.ts';

export interface NodeSettings {
  /** The configuration file with the servers. */
  config: string;
  place: string;
  bus: string;
  env: Record<string, string>;
}

/** Long, because the machine may be busy. */
const startMs = 90_000;
const skewedClock = fileURLToPath(new URL('skewed-clock.js', import.meta.url));

export class ClusterNode implements AsyncDisposable {
  /** Its address without a proxy. */
  readonly url: string;
  readonly database: FaultyProxy;
  readonly bus: FaultyProxy;
  readonly clients: FaultyProxy;
  readonly peers: FaultyProxy;
  readonly #folder: string;
  readonly #settings: NodeSettings;
  #process: TidingsProcess | undefined;

  private constructor(url: string, proxies: readonly FaultyProxy[], folder: string, settings: NodeSettings) {
    const [database, bus, clients, peers] = proxies;
    if (!database || !bus || !clients || !peers) throw new Error('A node has four proxies.');
    this.url = url;
    this.database = database;
    this.bus = bus;
    this.clients = clients;
    this.peers = peers;
    this.#folder = folder;
    this.#settings = settings;
  }

  static async open(settings: NodeSettings): Promise<ClusterNode> {
    const url = `http://127.0.0.1:${await freePort()}`;
    const targets = [settings.place, settings.bus, url, url];
    const proxies = await Promise.all(targets.map((to) => FaultyProxy.open(to, { isNoted: false })));
    const folder = await mkdtemp(join(tmpdir(), 'tidings-chaos-node-'));
    const node = new ClusterNode(url, proxies, folder, settings);
    await node.start();
    return node;
  }

  /** Resolves when the node answers, which is before its servers are connected. */
  async start(): Promise<void> {
    const { config, env } = this.#settings;
    const addresses = ['--data', this.database.url, '--bus', this.bus.url, '--advertise', this.peers.url];
    const args = ['up', '--port', new URL(this.url).port, ...addresses, '--config', config, '--json'];
    const started = () => {
      if (!this.isRunning) {
        this.#process = new TidingsProcess(args, {
          env: { ...env, XDG_CONFIG_HOME: this.#folder, CHAOS_CLOCK_FILE: this.#clockFile },
          nodeOptions: ['--import', skewedClock],
          cwd: this.#folder,
        });
      }
      return /^(.*)\n/.exec(this.#process?.stdout ?? '')?.[1];
    };
    await eventually('the node to start', started, startMs).catch((error: unknown) => {
      throw new Error(`The node did not start: ${this.stderr.slice(-2000)}`, { cause: error });
    });
  }

  get isRunning(): boolean {
    const { child } = this.#process ?? {};
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.#process?.child.pid;
  }

  get stderr(): string {
    return this.#process?.stderr ?? '';
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.#process?.end(signal);
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.child.kill(signal);
  }

  /** Sets its clock ahead of the true time. */
  async setClock(aheadMs: number): Promise<void> {
    await writeFile(this.#clockFile, String(aheadMs));
    this.#process?.child.kill('SIGUSR2');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
    for (const proxy of [this.database, this.bus, this.clients, this.peers]) await proxy.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #clockFile(): string {
    return join(this.#folder, 'ahead-ms');
  }
}
