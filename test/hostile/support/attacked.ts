// A real process under attack by servers or clients: the hub, or a tracker alone. Its memory can be measured, and its
// configuration edited while it runs.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import type { Config } from '@tidings/track';
import { z } from 'zod';
import { serversSchema } from '../../support/wire/strict-answers.ts';
import { bin } from '../../cli/tidings-process.ts';

const probe = fileURLToPath(new URL('memory-probe.js', import.meta.url));
const memorySchema = z.object({
  rss: z.number(),
  /** The maximum since its start. */
  peakRss: z.number(),
  heapUsed: z.number(),
  external: z.number(),
  /** The longest turn of its event loop since the last measurement, in CPU time of the main thread. */
  longestTurnMs: z.number(),
});

export type Memory = z.infer<typeof memorySchema>;
export type ServerStatus = z.infer<typeof serversSchema>['servers'][number];

const trackerProgram = fileURLToPath(new URL('tracker-process.js', import.meta.url));

/** The heap limit of the hub; without limits on requests it would need much more, and crash. */
const heapMegabytes = 512;
/**
 * A turn of the event loop of this length blocks all other clients. It includes everything that arrived meanwhile on
 * many connections, which is more on a busy machine.
 */
export const blockedMs = 600;
/** The time for the exit to be noticed after a connection broke. */
const lastWordsMs = 2000;

/** Several run at once in one test file, so none may use the current test's context. */
export class Attacked implements AsyncDisposable {
  readonly kind: 'hub' | 'tracker';
  readonly #folder: string;
  readonly #child: ChildProcessWithoutNullStreams;
  #url = '';
  stdout = '';
  stderr = '';

  private constructor(kind: 'hub' | 'tracker', folder: string, env: Record<string, string>) {
    this.kind = kind;
    this.#folder = folder;
    const nodeOptions = ['--expose-gc', `--max-old-space-size=${heapMegabytes}`, '--import', probe];
    const data = join(folder, 'data');
    const args =
      kind === 'hub'
        ? [bin, 'up', '--port', '0', '--data', data, '--config', fileIn(folder), '--json']
        : [trackerProgram, fileIn(folder), data];
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TIDINGS_'));
    this.#child = spawn(process.execPath, [...nodeOptions, ...args], {
      env: { ...Object.fromEntries(inherited), ...env },
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  static async start(
    kind: 'hub' | 'tracker',
    config: Partial<Config>,
    env: Record<string, string> = {},
  ): Promise<Attacked> {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-attacked-'));
    await write(folder, config);
    const started = new Attacked(kind, folder, env);
    const line = await eventually('a line on stdout', () => /^(.*)\n/.exec(started.stdout)?.[1], 30_000);
    started.#url = z.object({ url: z.string() }).parse(JSON.parse(line)).url;
    return started;
  }

  get url(): string {
    return this.#url;
  }

  /** Resolves when the hub has applied the edit; `servers` shows it. */
  async configure(config: Partial<Config>): Promise<void> {
    await write(this.#folder, config);
    const ids = new Set(config.servers?.map(({ id }) => id));
    await eventually(
      'the edited configuration to be in force',
      async () => {
        const servers = await this.servers();
        return servers.length === ids.size && servers.every(({ id }) => ids.has(id));
      },
      60_000,
    );
  }

  async servers(headers?: Record<string, string>): Promise<ServerStatus[]> {
    return serversSchema.parse(await this.json('/api/servers', headers)).servers;
  }

  async json(path: string, headers: Record<string, string> = {}): Promise<unknown> {
    // No keep-alive: a kept connection might be closed at the moment of its next use.
    const asked = fetch(`${this.url}${path}`, { headers: { ...headers, connection: 'close' } });
    const answer = await asked.catch(async (error: unknown) => {
      throw new Error(await this.#state(), { cause: error });
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  /**
   * Resolves when it answers, not necessarily the first request, because its connections may all be in use. The time
   * that takes depends on the machine; blocking is measured by `memory`.
   */
  async answers(): Promise<void> {
    let refusal: unknown;
    const isAnswered = async () => {
      try {
        await this.json('/healthz');
        return true;
      } catch (error) {
        refusal = error;
        return false;
      }
    };
    await eventually('/healthz to answer', isAnswered).catch((error: unknown) => {
      throw new Error(String(error), { cause: refusal });
    });
  }

  /** Measured after a garbage collection. */
  async memory(): Promise<Memory> {
    const before = this.stderr.length;
    this.#child.kill('SIGUSR2');
    const found = await eventually(
      'the memory probe to answer',
      () => /memory-probe (\{.*\})/.exec(this.stderr.slice(before))?.[1],
      20_000,
    );
    return memorySchema.parse(JSON.parse(found));
  }

  /** A connection breaks before the exit of the process is known. */
  async #state(): Promise<string> {
    const hasEnded = () => this.#child.exitCode !== null || this.#child.signalCode !== null;
    await eventually('its end', hasEnded, lastWordsMs).catch(() => undefined);
    const { exitCode, signalCode } = this.#child;
    return hasEnded() ? `It ended with ${exitCode ?? signalCode}: ${this.stderr.slice(-2000)}` : 'It runs.';
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function fileIn(folder: string): string {
  return join(folder, 'servers.json');
}

/** Atomic, because the process reads the file meanwhile. */
async function write(folder: string, config: Partial<Config>): Promise<void> {
  const draft = join(folder, 'draft.json');
  await writeFile(draft, JSON.stringify(config));
  await rename(draft, fileIn(folder));
}
