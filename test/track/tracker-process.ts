// The test's side of tracker-process.js.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import type { ServerStatus, TrackerEvent } from '@tidings/client/contract';
import { bundledProgram } from '../support/program/bundled-program.ts';

const program = new URL('tracker-process.js', import.meta.url);

export interface Printed {
  cursor: string;
  event: TrackerEvent;
  servers: ServerStatus[];
}

export class TrackerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly lines: Printed[] = [];
  /** The contents that its watchers have read after notifications. */
  readonly read: string[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const printed: Printed | { read: string } = JSON.parse(line);
        if ('read' in printed) this.read.push(printed.read);
        else this.lines.push(printed);
      });
    }
  }

  /**
   * `place`: where its journal is, if not in the folder. `watched`: URIs that it watches and reads after notifications.
   */
  static async start(
    folder: string,
    servers: readonly ServerEntry[],
    place = join(folder, 'data'),
    watched: readonly string[] = [],
  ): Promise<TrackerProcess> {
    const file = join(folder, 'mcp-servers.json');
    await writeFile(file, JSON.stringify({ servers }));
    const args = [await bundledProgram(program), file, place, ...watched];
    return new TrackerProcess(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  }

  async isLive(id: string): Promise<ServerStatus> {
    return eventually(`${id} to be live`, () => {
      const isLive = this.lines.some(
        ({ event }) => event.type === 'server_state' && event.serverId === id && event.state === 'live',
      );
      return isLive ? this.lines.at(-1)?.servers.find((server) => server.id === id) : undefined;
    });
  }

  async told(uri: string, before = 0): Promise<Printed> {
    return eventually(
      `an update of ${uri}`,
      () =>
        this.lines
          .filter(({ event }) => event.type === 'resource_update' && event.resourceUri === uri)
          .slice(before)[0],
    );
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGTERM');
  }
}

export interface Folder extends AsyncDisposable {
  path: string;
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'tidings-track-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
