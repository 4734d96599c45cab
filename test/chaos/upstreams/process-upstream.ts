// Servers on the official SDKs, each a process of its own that can be killed: on stdio the hub starts it, over
// HTTP the suite does.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import { FaultyProxy } from '../../support/faulty-proxy.ts';
import type { ChaosUpstream, StartUpstream } from '../upstream.ts';

export type Sdk = 'sdk1' | 'sdk2';

export function onStdio(sdk: Sdk): StartUpstream {
  return async (id, resources) => {
    const truth = await TruthFile.create(resources);
    const args = [programOf(sdk), truth.file, 'stdio'];
    const entry: ServerEntry = { id, command: process.execPath, args, env: {}, enabled: true, trackResources: true };
    return {
      id,
      kind: `${sdk} stdio`,
      entry,
      resources: truth.resources,
      put: (uri, text) => truth.put(uri, text),
      kill: async () => {
        const pid = Number(await readFile(`${truth.file}.pid`, 'utf8').catch(() => 0));
        if (pid > 0) killIfAlive(pid);
      },
      [Symbol.asyncDispose]: () => truth.remove(),
    };
  };
}

export function onHttp(sdk: Sdk): StartUpstream {
  return async (id, resources) => {
    const truth = await TruthFile.create(resources);
    const port = await freePort();
    const proxy = await FaultyProxy.open(`http://127.0.0.1:${port}/mcp`);
    let child: ChildProcess | undefined;
    const upstream: ChaosUpstream = {
      id,
      kind: `${sdk} http`,
      entry: { id, url: proxy.url, headers: {}, enabled: true, trackResources: true },
      resources: truth.resources,
      proxy,
      put: (uri, text) => truth.put(uri, text),
      kill: async () => {
        const ending = child;
        if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
        const ended = new Promise((resolve) => ending.once('exit', resolve));
        ending.kill('SIGKILL');
        await ended;
      },
      start: async () => {
        child = spawn(process.execPath, [programOf(sdk), truth.file, 'http', String(port)], { stdio: 'inherit' });
        await eventually(`${sdk} to listen`, async () => (await isOpen(port)) || undefined);
      },
      [Symbol.asyncDispose]: async () => {
        await upstream.kill?.();
        await proxy.close();
        await truth.remove();
      },
    };
    await upstream.start?.();
    return upstream;
  };
}

class TruthFile {
  readonly #folder: string;
  readonly resources: Record<string, string>;
  #writing: Promise<void> = Promise.resolve();

  private constructor(folder: string, resources: Record<string, string>) {
    this.#folder = folder;
    this.resources = resources;
  }

  static async create(resources: Record<string, string>): Promise<TruthFile> {
    const truth = new TruthFile(await mkdtemp(join(tmpdir(), 'tidings-chaos-')), resources);
    await truth.#write();
    return truth;
  }

  get file(): string {
    return join(this.#folder, 'truth.json');
  }

  async put(uri: string, text: string): Promise<void> {
    this.resources[uri] = text;
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Whole or not at all: it is read while it is written. */
  async #write(): Promise<void> {
    const draft = join(this.#folder, 'draft');
    await writeFile(draft, JSON.stringify(this.resources));
    await rename(draft, this.file);
  }
}

function programOf(sdk: Sdk): string {
  return fileURLToPath(new URL(`${sdk}-server.js`, import.meta.url));
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function isOpen(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/mcp`).then(
    () => true,
    () => false,
  );
}
