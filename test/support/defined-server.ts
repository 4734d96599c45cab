// A server process whose definitions the test says, while it runs or between two runs.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandEntry } from '@tidings/track';

const program = fileURLToPath(new URL('../fixtures/defined-server.js', import.meta.url));

export interface Definitions {
  /** Descriptions by name. */
  tools?: Record<string, string>;
  prompts?: Record<string, string>;
  instructions?: string;
  /** What it says of itself beside its name. */
  info?: Record<string, unknown>;
  resources?: Record<string, unknown>[];
  templates?: Record<string, unknown>[];
}

export class DefinedServer implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tidings-defined-'));

  constructor(definitions: Definitions) {
    this.define(definitions);
  }

  /** All that there is from now on. */
  define({ tools = {}, prompts = {}, templates = [], ...others }: Definitions): void {
    const document = {
      tools: Object.entries(tools).map(([name, description]) => ({
        name,
        description,
        inputSchema: { type: 'object' },
      })),
      prompts: Object.entries(prompts).map(([name, description]) => ({ name, description })),
      templates,
      ...others,
    };
    // Never half of it.
    writeFileSync(`${this.#file}.part`, JSON.stringify(document));
    renameSync(`${this.#file}.part`, this.#file);
  }

  entry(id: string, more: Partial<CommandEntry> = {}): CommandEntry {
    const args = [program, this.#file];
    return { id, command: process.execPath, args, env: {}, enabled: true, trackResources: false, ...more };
  }

  get #file(): string {
    return join(this.#folder, 'definitions.json');
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
