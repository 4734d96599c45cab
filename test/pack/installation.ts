// The packages as users get them: packed, and installed together in an empty folder.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

const packageFolders = {
  live: 'packages/live',
  store: 'packages/store',
  track: 'packages/track',
  schedules: 'packages/schedules',
  vcon: 'packages/vcon',
  obs: 'packages/obs',
  examples: 'examples',
  hub: 'packages/hub',
};

export const registryNeed = {
  what: 'the npm registry',
  isThere: spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000'], { timeout: 10_000 }).status === 0,
  install: 'a network in which `npm ping` succeeds',
};

const packedSchema = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);

export class Installation {
  readonly #base: string;
  readonly #running = new Set<ChildProcess>();
  /** What each tarball holds. */
  readonly files = new Map<string, string[]>();

  private constructor(base: string) {
    this.#base = base;
  }

  static async create(): Promise<Installation> {
    const installation = new Installation(await mkdtemp(join(tmpdir(), 'tidings-pack-')));
    try {
      await installation.#install();
      return installation;
    } catch (error) {
      await installation.remove();
      throw error;
    }
  }

  get folder(): string {
    return join(this.#base, 'app');
  }

  /** Starts a command in the folder; resolves with the first line it prints. */
  async firstLine(command: string, ...args: string[]): Promise<string> {
    // In a group of its own: npx starts further processes, and all of them have to end.
    const child = spawn(command, args, { cwd: this.folder, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    for await (const line of createInterface(child.stdout)) return line;
    throw new Error(`${command} ${args.join(' ')} printed nothing.`);
  }

  /** The compiler's complaints about a file, which it checks against the installed types. */
  async typeErrors(file: string): Promise<string> {
    const modules = join(workspace, 'node_modules');
    const nodeTypes = ['--types', 'node', '--typeRoots', join(modules, '@types')];
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', ...nodeTypes];
    const found = run(join(modules, '.bin', 'tsc'), [...options, file], { cwd: this.folder });
    return found.then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  async remove(): Promise<void> {
    const ended = [...this.#running].map(async (child) => {
      const closed = once(child, 'close');
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
      await closed;
    });
    await Promise.all(ended);
    await rm(this.#base, { recursive: true });
  }

  async #install(): Promise<void> {
    const tarballs = [];
    for (const [name, folder] of Object.entries(packageFolders)) tarballs.push(await this.#pack(name, folder));
    await mkdir(this.folder);
    await writeFile(join(this.folder, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
    // The server of the README, as its reader would type it and as Node runs it.
    await copyFile(join(workspace, 'examples/src/weather.ts'), join(this.folder, 'weather.ts'));
    await copyFile(join(workspace, 'examples/dist/weather.js'), join(this.folder, 'weather.js'));
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', 'zod@4', ...tarballs];
    await run('npm', args, { cwd: this.folder });
  }

  async #pack(name: string, folder: string): Promise<string> {
    const cwd = join(workspace, folder);
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', this.#base], { cwd });
    const [{ filename, files }] = packedSchema.parse(JSON.parse(stdout));
    this.files.set(
      name,
      files.map(({ path }) => path),
    );
    return join(this.#base, filename);
  }
}
