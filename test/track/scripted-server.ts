// The test's side of scripted-server.js: the file with the server's resources and behaviour, and its configuration
// entry.
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandEntry } from '@tidings/track';

const program = fileURLToPath(new URL('scripted-server.js', import.meta.url));

export interface Script {
  resources: Record<string, string>;
  capabilities?: object;
  refuse?: string[];
  /** A removed resource is not announced, and loses its subscriptions. */
  forgets?: boolean;
  /** Changes are not announced. */
  quiet?: boolean;
  /** No request is answered. */
  hangs?: boolean;
  delayMs?: number;
  listDelayMs?: number;
  listFails?: boolean;
  logRequests?: boolean;
  do?: { id: number; what: string; uri?: string; times?: number; perTick?: number };
}

export class ScriptedServer implements AsyncDisposable {
  readonly #folder: string;
  readonly #flags: readonly string[];
  #script: Script;
  #deeds = 0;

  private constructor(folder: string, script: Script, flags: readonly string[]) {
    this.#folder = folder;
    this.#script = script;
    this.#flags = flags;
  }

  static async create(script: Script, flags: readonly string[] = []): Promise<ScriptedServer> {
    const server = new ScriptedServer(await mkdtemp(join(tmpdir(), 'tidings-scripted-')), script, flags);
    await server.edit({});
    return server;
  }

  /** The server's current resources. */
  get resources(): Record<string, string> {
    return this.#script.resources;
  }

  async edit(change: Partial<Script>): Promise<void> {
    this.#script = { ...this.#script, ...change };
    const draft = join(this.#folder, 'draft.json');
    await writeFile(draft, JSON.stringify(this.#script));
    await rename(draft, this.#file);
  }

  async put(uri: string, text: string): Promise<void> {
    await this.edit({ resources: { ...this.#script.resources, [uri]: text } });
  }

  async act(what: string, details: { uri?: string; times?: number; perTick?: number } = {}): Promise<void> {
    this.#deeds += 1;
    await this.edit({ do: { id: this.#deeds, what, ...details } });
  }

  /** `method uri` of every request since `logRequests` was set. */
  async requests(): Promise<string[]> {
    const text = await readFile(`${this.#file}.requests`, 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.trim());
  }

  entry(id: string, more: Partial<CommandEntry> = {}): CommandEntry {
    return {
      id,
      command: process.execPath,
      args: [program, this.#file, ...this.#flags],
      env: {},
      enabled: true,
      trackResources: true,
      ...more,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#folder, 'script.json');
  }
}
