// For each test of a file: an embeddings endpoint over real HTTP, a data folder, and vCon servers that use both.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { type VconSettings, openVcon } from '@tidings/vcon';
import { afterEach, beforeEach } from 'vitest';
import { EmbeddingServer } from '../support/counterpart/embedding-server.ts';
import { type Agent, agentOf } from './tool-agent.ts';

type Calls = Pick<Agent, 'do' | 'call'>;

export class EmbeddingBench {
  logged: string[] = [];
  #folder = '';
  #endpoint: EmbeddingServer | undefined;

  /** Opens a new endpoint and folder before each test, and removes them after it. */
  constructor() {
    beforeEach(async () => {
      this.logged = [];
      this.#folder = mkdtempSync(join(tmpdir(), 'tidings-semantic-'));
      this.#endpoint = await EmbeddingServer.start({ automobile: 'car', vehicle: 'car', invoice: 'bill' });
    });
    afterEach(async () => {
      await this.#endpoint?.[Symbol.asyncDispose]();
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  get endpoint(): EmbeddingServer {
    if (!this.#endpoint) throw new Error('The endpoint exists during a test only.');
    return this.#endpoint;
  }

  get settings(): VconSettings {
    const write: Log['warn'] = (fields, message) => void this.logged.push(`${message} ${JSON.stringify(fields)}`);
    return { place: this.#folder, embedUrl: this.endpoint.url, log: { warn: write, error: write } };
  }

  /** An agent of a server of its own, which closes with the agent. */
  async desk(settings: Partial<VconSettings> = {}): Promise<Calls & AsyncDisposable> {
    const server = await openVcon({ ...this.settings, ...settings });
    return { ...(await agentOf(server)), [Symbol.asyncDispose]: () => server.close() };
  }
}

/** The subjects of the vCons that a search by meaning finds. */
export async function subjects(agent: Calls, query: string, more: Record<string, unknown> = {}): Promise<string[]> {
  const { results } = await agent.do('search_vcons_semantic', { query, ...more });
  return Array.isArray(results) ? results.map(({ subject }) => subject) : [];
}

/** Waits until this many vCons are found. */
export async function embedded(agent: Calls, count: number): Promise<void> {
  await eventually(`${count} to be found`, async () => (await subjects(agent, 'any', { limit: 100 })).length === count);
}
