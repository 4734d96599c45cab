// `tidings up` in its own process, with servers of the test's choice. It can be killed, and started again on its port
// and data.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import type { UrlEntry } from '@tidings/track';
import { onTestFinished } from 'vitest';
import { freePort } from '../network/free-port.ts';
import { eventsSchema, resourcesSchema, serversSchema } from '../wire/strict-answers.ts';
import { TidingsProcess } from '../../cli/tidings-process.ts';

export interface HubProcessOptions {
  servers: readonly UrlEntry[];
  env?: Record<string, string>;
  /** Origins of web pages that may use the API. */
  cors?: readonly string[];
  /** Allowed addresses of agent sessions. */
  realtime?: readonly string[];
}

export class HubProcess {
  url = '';
  readonly #folder: string;
  readonly #env: Record<string, string>;
  #process: TidingsProcess | undefined;

  private constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder;
    this.#env = env;
  }

  static async start({ env = {}, ...config }: HubProcessOptions): Promise<HubProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-hub-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await writeFile(join(folder, 'servers.json'), JSON.stringify(config));
    const hub = new HubProcess(folder, env);
    await hub.start(String(await freePort()));
    return hub;
  }

  /** Starts it again at its address. */
  async start(port = new URL(this.url).port): Promise<void> {
    const [data, config] = [join(this.#folder, 'data'), join(this.#folder, 'servers.json')];
    const args = ['up', '--port', port, '--data', data, '--config', config, '--json'];
    this.#process = new TidingsProcess(args, { env: this.#env });
    const { url }: { url: string } = JSON.parse(await this.#process.line());
    this.url = url;
    await eventually('every server to be live', async () => {
      const { servers } = serversSchema.parse(await this.json('/api/servers'));
      return servers.every(({ state, subscribed, resources }) => state === 'live' && subscribed === resources);
    });
  }

  async kill(): Promise<void> {
    await this.#process?.end('SIGKILL');
  }

  /** Ends it with SIGTERM, as its user would. */
  async stop(): Promise<void> {
    await this.#process?.end('SIGTERM');
  }

  /**
   * Resolves when all changed resources were read, at least `ageMs` ago: only then does a restarted hub know that it
   * has reported the changes.
   */
  async hasReadAll(ageMs = 0): Promise<void> {
    const { events } = eventsSchema.parse(await this.json('/api/events?last=1000'));
    await eventually('what changed to be read', async () => {
      const { resources } = resourcesSchema.parse(await this.json('/api/resources?limit=1000'));
      const readAt = new Map(resources.map((resource) => [resource.uri, resource.readAt ?? '']));
      const latest = new Date(Date.now() - ageMs).toISOString();
      return events.every((event) => {
        const read = readAt.get('resourceUri' in event ? String(event.resourceUri) : '');
        return read === undefined || (event.timestamp <= read && (ageMs === 0 || read <= latest));
      });
    });
  }

  async json(path: string, body?: object): Promise<unknown> {
    const request = body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`${this.url}${path}`, request);
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  /** The sum of a metric of `/metrics` over all its labels. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const values = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }
}
