// A clone of the last commit with an empty home, as a new user has.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '@tidings/live/testing';
import { endGroup } from '../support/program/end-group.ts';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
/** Records the sources from which the dashboard was built. */
const builtDashboard = 'node_modules/.cache/dashboard.sha256';
const copied = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };

export interface Running {
  readonly child: ChildProcess;
  /** All output so far, of stdout and stderr. */
  printed(): string;
  end(): Promise<void>;
}

export class FreshClone implements AsyncDisposable {
  readonly folder: string;
  readonly #base: string;
  readonly #env: Record<string, string | undefined>;

  private constructor(base: string, env: Record<string, string | undefined>) {
    this.#base = base;
    this.folder = join(base, 'clone');
    this.#env = env;
  }

  static async create(): Promise<FreshClone> {
    const base = await mkdtemp(join(tmpdir(), 'tidings-clone-'));
    const [home, prefix] = [join(base, 'home'), join(base, 'global')];
    await mkdir(home);
    // Keeps the machine's npm registry and cache, and no other settings of its user.
    const { stdout: cache } = await run('npm', ['config', 'get', 'cache'], { cwd: workspace });
    const { stdout: registry } = await run('npm', ['config', 'get', 'registry'], { cwd: workspace });
    const kept = Object.entries(process.env).filter(([name]) => !/^(TIDINGS_|XDG_|npm_)/.test(name));
    const npm = {
      npm_config_cache: cache.trim(),
      npm_config_registry: registry.trim(),
      npm_config_prefix: prefix,
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
    };
    const path = [join(prefix, 'bin'), process.env['PATH']].join(delimiter);
    const clone = new FreshClone(base, { ...Object.fromEntries(kept), ...npm, HOME: home, PATH: path });
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${workspace}`, clone.folder]);
    return clone;
  }

  /** Replaces `npm ci` and the build by links to this checkout's modules and copies of its build. */
  async takeOver(): Promise<void> {
    await linkModules(join(workspace, 'node_modules'), join(this.folder, 'node_modules'));
    const folders = [...(await readdir(join(workspace, 'packages'))).map((name) => `packages/${name}`), 'examples'];
    const made = ['node_modules/.bin', builtDashboard, ...folders.map((folder) => `${folder}/dist`)];
    for (const path of made) await cp(join(workspace, path), join(this.folder, path), copied);
    const ofDashboard = 'packages/dashboard/node_modules';
    await symlink(join(workspace, ofDashboard), join(this.folder, ofDashboard));
  }

  /** Runs a shell command to its end; rejects with its output if it fails. */
  async run(line: string, env: Record<string, string> = {}): Promise<string> {
    const running = this.start(line, env);
    const [code] = await once(running.child, 'close');
    if (code !== 0) throw new Error(`${line}\nended with ${code}:\n${running.printed()}`);
    return running.printed();
  }

  /** Starts a shell command that does not end by itself. */
  start(line: string, env: Record<string, string> = {}): Running {
    // In a process group, so that npm and its child processes end together.
    const child = spawn('bash', ['-c', line], {
      cwd: this.folder,
      env: { ...this.#env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close');
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    }
    return {
      child,
      printed: () => printed,
      end: async () => {
        endGroup(child);
        await closed;
      },
    };
  }

  /** Runs an endless shell command until it has printed something. */
  async tryOut(line: string, env: Record<string, string>, patienceMs: number): Promise<void> {
    const running = this.start(line, env);
    try {
      await this.printed(running, /\S/, patienceMs);
    } finally {
      await running.end();
    }
  }

  /** Waits until a running command has printed a match; rejects with its output if it ends before. */
  async printed(running: Running, pattern: RegExp, patienceMs: number): Promise<string> {
    const found = eventually(
      String(pattern),
      () => {
        const match = pattern.exec(running.printed());
        if (match === null && running.child.exitCode !== null) throw new Error('It has ended.');
        return match?.[1] ?? match?.[0];
      },
      patienceMs,
    );
    return found.catch((error: unknown) => {
      throw new Error(`It printed:\n${running.printed()}`, { cause: error });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Links packages of the workspace to those of the clone. */
async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.name.startsWith('@')) await linkModules(source, target);
    else if (!entry.name.startsWith('.')) await symlink(source, target);
  }
}
