// The hub of the chaos suite: a process that can be killed and started again on its port and data. Some subscribers
// reach it through a proxy, and it reaches its PostgreSQL through another.
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import { z } from 'zod';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { FaultyProxy } from '../support/network/faulty-proxy.ts';
import { freePort } from '../support/network/free-port.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

export type StoreKind = 'sqlite' | 'postgres';

/** Long, because the machine may be busy. */
const startMs = 90_000;
const probe = fileURLToPath(new URL('hub-probe.js', import.meta.url));
const startedSchema = z.object({ url: z.string() });
const serversSchema = z.object({ servers: z.array(z.looseObject({ id: z.string(), state: z.string() })) });
const memorySchema = z.object({ heapMb: z.number() });

export class ChaosHub implements AsyncDisposable {
  readonly store: StoreKind;
  /** The hub's address; the same after every start. */
  url = '';
  /** The proxy in front of its PostgreSQL. */
  readonly database: FaultyProxy | undefined;
  readonly #folder: string;
  readonly #place: string;
  #clients: FaultyProxy | undefined;
  #process: TidingsProcess | undefined;

  private constructor(store: StoreKind, folder: string, database: FaultyProxy | undefined) {
    this.store = store;
    this.#folder = folder;
    this.database = database;
    this.#place = database?.url ?? join(folder, 'data');
  }

  static async open(store: StoreKind, servers: readonly ServerEntry[]): Promise<ChaosHub> {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-chaos-hub-'));
    await writeFile(join(folder, 'servers.json'), JSON.stringify({ servers }));
    const database = store === 'postgres' ? await FaultyProxy.open(await freshDatabase()) : undefined;
    const hub = new ChaosHub(store, folder, database);
    await hub.start();
    hub.#clients = await FaultyProxy.open(hub.url);
    return hub;
  }

  /** The proxy between the hub and some of its subscribers. */
  get clients(): FaultyProxy {
    if (this.#clients === undefined) throw new Error('The hub has not been started.');
    return this.#clients;
  }

  /** Resolves when the hub answers, which is before its servers are connected. */
  async start(): Promise<void> {
    const port = this.url === '' ? String(await freePort()) : new URL(this.url).port;
    const args = [
      'up',
      '--port',
      port,
      '--data',
      this.#place,
      '--config',
      join(this.#folder, 'servers.json'),
      '--json',
    ];
    const line = await eventually('the hub to start', () => this.#started(args), startMs).catch((error: unknown) => {
      throw new Error(`The hub did not start: ${this.#process?.stderr.slice(-2000)}`, { cause: error });
    });
    this.url = startedSchema.parse(JSON.parse(line)).url;
  }

  /**
   * The first line of its output. If the process has ended, it is started again: another program may have used its port
   * for a moment.
   */
  async #started(args: string[]): Promise<string | undefined> {
    const { child } = this.#process ?? {};
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      this.#process = new TidingsProcess(args, {
        env: { CHAOS_PROBE_FILE: this.#probeFile },
        nodeOptions: ['--expose-gc', '--import', probe],
      });
    }
    return /^(.*)\n/.exec(this.#process?.stdout ?? '')?.[1];
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.#process?.end(signal);
  }

  /** The hub's process and those of the servers that it has started. */
  get pids(): readonly number[] {
    const { pid } = this.#process?.child ?? {};
    return pid === undefined ? [] : [pid, ...childrenOf(pid)];
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.child.kill(signal);
  }

  /** For failure messages: the state of one of its servers, and the last log lines about it. */
  async describe(serverId: string): Promise<string> {
    const servers = await this.#servers().catch((error: unknown) => String(error));
    const own = typeof servers === 'string' ? servers : servers.find(({ id }) => id === serverId);
    const logged = this.#process?.stderr.split('\n').filter((line) => line.includes(`"server":"${serverId}"`)) ?? [];
    return [JSON.stringify(own), ...logged.slice(-10)].join('\n');
  }

  async #servers() {
    const answer = await fetch(`${this.url}/api/servers`);
    return serversSchema.parse(await answer.json()).servers;
  }

  async isLive(): Promise<void> {
    const areLive = async () => (await this.#servers()).every(({ state }) => state === 'live');
    await eventually('every server to be live', areLive, startMs);
  }

  /** Its memory after a garbage collection, and its number of open files and sockets. */
  async sample(): Promise<{ heapMb: number; handles: number }> {
    const { pid } = this.#process?.child ?? {};
    if (pid === undefined) throw new Error('The hub has not been started.');
    await rm(this.#probeFile, { force: true });
    process.kill(pid, 'SIGUSR2');
    const text = await eventually('the hub to say what it uses', () =>
      readFile(this.#probeFile, 'utf8').catch(() => undefined),
    );
    const { heapMb } = memorySchema.parse(JSON.parse(text));
    return { heapMb, handles: (await readdir(`/proc/${pid}/fd`)).length };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
    await this.#clients?.close();
    await this.database?.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #probeFile(): string {
    return join(this.#folder, 'probe.json');
  }
}

/** Empty on systems without /proc. */
function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
