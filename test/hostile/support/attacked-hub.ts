// A real hub process that is to be attacked, from servers or from clients: it can be asked for its memory, and
// its configuration can be edited while it runs.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import type { Config } from '@tidings/track';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { serversSchema } from '../../support/strict-answers.ts';
import { TidingsProcess } from '../../cli/tidings-process.ts';

const probe = fileURLToPath(new URL('memory-probe.js', import.meta.url));
const memorySchema = z.object({
  rss: z.number(),
  /** At most since it was started. */
  peakRss: z.number(),
  heapUsed: z.number(),
  external: z.number(),
  blockedMs: z.number(),
});

export type Memory = z.infer<typeof memorySchema>;
export type ServerStatus = z.infer<typeof serversSchema>['servers'][number];

/** What a hub may need for everything; without bounds it would need much more, and end. */
const heapMegabytes = 512;
/** A hub that is not blocked answers in a millisecond; the machine may be busy with other things. */
const healthyMs = 200;
const healthTries = 10;

export class AttackedHub {
  readonly #folder: string;
  readonly process: TidingsProcess;
  readonly url: string;

  private constructor(folder: string, process: TidingsProcess, url: string) {
    this.#folder = folder;
    this.process = process;
    this.url = url;
  }

  static async start(config: Partial<Config>, env: Record<string, string> = {}): Promise<AttackedHub> {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-attacked-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await write(folder, config);
    const args = ['up', '--port', '0', '--data', join(folder, 'data'), '--config', fileIn(folder), '--json'];
    const nodeOptions = ['--expose-gc', `--max-old-space-size=${heapMegabytes}`, '--import', probe];
    const started = new TidingsProcess(args, { nodeOptions, env });
    const { url }: { url: string } = JSON.parse(await started.line());
    return new AttackedHub(folder, started, url);
  }

  /** Takes effect when the hub has noticed; `servers` shows it. */
  async configure(config: Partial<Config>): Promise<void> {
    await write(this.#folder, config);
    const ids = new Set(config.servers?.map(({ id }) => id));
    await eventually(
      'the edited configuration to be in force',
      async () => {
        const servers = await this.servers();
        return servers.length === ids.size && servers.every(({ id }) => ids.has(id));
      },
      30_000,
    );
  }

  async servers(headers?: Record<string, string>): Promise<ServerStatus[]> {
    return serversSchema.parse(await this.json('/api/servers', headers)).servers;
  }

  async json(path: string, headers: Record<string, string> = {}): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`, { headers });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  /** How long `/healthz` took, in milliseconds: the best of a few tries, for machines that are busy otherwise. */
  async healthMs(): Promise<number> {
    const times: number[] = [];
    while (times.length < healthTries && !times.some((ms) => ms <= healthyMs)) {
      if (times.length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
      const started = performance.now();
      const answer = await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(10_000) });
      await answer.arrayBuffer();
      times.push(answer.ok ? performance.now() - started : Number.POSITIVE_INFINITY);
    }
    return Math.min(...times);
  }

  /** After its garbage was collected. */
  async memory(): Promise<Memory> {
    const before = this.process.stderr.length;
    this.process.child.kill('SIGUSR2');
    const found = await eventually(
      'the memory probe to answer',
      () => /memory-probe (\{.*\})/.exec(this.process.stderr.slice(before))?.[1],
      20_000,
    );
    return memorySchema.parse(JSON.parse(found));
  }

  async stop(): Promise<void> {
    await this.process.end('SIGTERM');
  }
}

function fileIn(folder: string): string {
  return join(folder, 'servers.json');
}

/** Never half of it. */
async function write(folder: string, config: Partial<Config>): Promise<void> {
  const draft = join(folder, 'draft.json');
  await writeFile(draft, JSON.stringify(config));
  await rename(draft, fileIn(folder));
}
