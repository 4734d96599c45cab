// The packages as users get them: packed and installed in empty folders, the libraries together and the command
// alone.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { endGroup } from '../support/program/end-group.ts';
import { packedPackages } from '../support/program/packed-packages.ts';
import { isWhole } from '../support/run/proof-size.ts';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** Strict: a dependency that requires a newer Node than this one is an error. */
const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--engine-strict'];
/** Ways of resolving modules for CommonJS. */
const commonJs = new Set(['node10', 'node16-cjs']);

export const registryNeed = {
  what: 'the npm registry',
  isThere: spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000'], { timeout: 10_000 }).status === 0,
  install: 'a network in which `npm ping` succeeds',
};

// The folder scripts/install-test-tools.sh installs into.
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const tools = process.env['TIDINGS_TOOLS'] ?? join(cache, 'tidings', 'tools');
const nodes = join(tools, 'nodes-22.23.3-24.21.0', 'node_modules');

/** Node versions that users have. */
export const nodeBinaries = {
  [`this Node (${process.version})`]: process.execPath,
  'Node 22': join(nodes, 'node-22', 'bin', 'node'),
  'Node 24': join(nodes, 'node-24', 'bin', 'node'),
};

export const nodesNeed = {
  what: 'Node 22 and 24',
  isThere: existsSync(nodes),
  install: 'bash scripts/install-test-tools.sh',
};

export class Installation {
  readonly #base: string;
  readonly #running = new Set<ChildProcess>();
  /** The files in each tarball. */
  readonly files = new Map<string, string[]>();
  readonly tarballs = new Map<string, string>();

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

  get #prefix(): string {
    return join(this.#base, 'global');
  }

  /**
   * Installs some packages in another folder beside given versions of shared dependencies; returns what is
   * installed.
   */
  async installBeside(
    names: readonly string[],
    others: readonly string[],
  ): Promise<{ folder: string; packages: string[] }> {
    const folder = await mkdtemp(join(this.#base, 'other-'));
    await this.#installIn(folder, names, others);
    await copyFile(join(workspace, 'examples/dist/weather.js'), join(folder, 'weather.js'));
    return { folder, packages: await listed(folder) };
  }

  /** The packages that an installation of these would add. */
  async wouldBring(names: readonly string[]): Promise<string[]> {
    const folder = await mkdtemp(join(this.#base, 'other-'));
    await this.#installIn(folder, names, ['--package-lock-only']);
    return listed(folder, '--package-lock-only');
  }

  /** The program that `npm i -g` installs for the command alone, in a folder instead of the system's. */
  get program(): string {
    return join(this.#prefix, 'bin', 'tidings');
  }

  /** Problems of a tarball's types for importers of ES modules. */
  async typeProblems(name: string): Promise<object[]> {
    const checked = await checkPackage(createPackageFromTarballData(await readFile(this.tarballs.get(name) ?? '')));
    if (!checked.types) return [{ kind: 'NoTypes' }];
    return checked.problems.filter((each) => !('resolutionKind' in each && commonJs.has(each.resolutionKind)));
  }

  /** Starts a command in the folder and returns the first line that it prints. */
  async firstLine(command: string, ...args: string[]): Promise<string> {
    // In a process group, since npx starts further processes and all of them must end.
    const child = spawn(command, args, {
      cwd: this.folder,
      // Lets npx find globally installed packages.
      env: { ...process.env, npm_config_prefix: this.#prefix },
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    for await (const line of createInterface(child.stdout)) return line;
    throw new Error(`${command} ${args.join(' ')} printed nothing.`);
  }

  /** The compiler's errors for a file, checked against the installed types. */
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
      endGroup(child);
      await closed;
    });
    await Promise.all(ended);
    await rm(this.#base, { recursive: true });
  }

  async #install(): Promise<void> {
    const { folder, packages } = await packedPackages();
    for (const { name, filename, files } of packages) {
      const short = name === 'tidings' ? 'hub' : name.replace('@tidings/', '');
      this.files.set(
        short,
        files.map(({ path }) => path),
      );
      this.tarballs.set(short, join(folder, filename));
    }
    await mkdir(this.folder);
    // The server of the README, as typed by its reader and as run by Node.
    await copyFile(join(workspace, 'examples/src/weather.ts'), join(this.folder, 'weather.ts'));
    await copyFile(join(workspace, 'examples/dist/weather.js'), join(this.folder, 'weather.js'));
    await copyFile(join(workspace, 'test/pack/bus.js'), join(this.folder, 'bus.js'));
    // The command is not a library; only `npm run prove` installs it beside them too.
    const names = [...this.tarballs.keys()].filter((name) => isWhole || name !== 'hub');
    await this.#installIn(this.folder, names, ['zod@4']);
    const alone = ['--global', '--prefix', this.#prefix, this.tarballs.get('hub') ?? ''];
    await run('npm', ['install', ...quiet, ...alone]);
  }

  async #installIn(cwd: string, names: readonly string[], others: readonly string[]): Promise<void> {
    await writeFile(join(cwd, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
    const tarballs = names.flatMap((name) => this.tarballs.get(name) ?? []);
    await run('npm', ['install', ...quiet, ...others, ...tarballs], { cwd });
  }
}

async function listed(cwd: string, ...flags: string[]): Promise<string[]> {
  const { stdout } = await run('npm', ['ls', '--all', '--parseable', '--long', ...flags], { cwd });
  return stdout.split('\n').flatMap((line) => line.split(':').slice(1, 2));
}
