// A PostgreSQL server for tests: a fresh cluster on a free port of loopback, removed afterwards. Most tests only need
// their own database and share one server (shared-postgres.ts); tests that stop or kill it start their own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { Client } from 'pg';
import { freePort } from '../network/free-port.ts';
import { serviceNeed } from '../run/service-need.ts';

const debianFolder = '/usr/lib/postgresql';

function newestVersion(): string | undefined {
  if (!existsSync(debianFolder)) return undefined;
  return readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a))[0];
}

function programFolder(): string | undefined {
  const newest = newestVersion();
  return newest === undefined ? undefined : join(debianFolder, newest, 'bin');
}

export const postgresNeed = serviceNeed({
  what: 'PostgreSQL',
  isThere: programFolder() !== undefined,
  install: 'bash scripts/install-test-tools.sh',
});

export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #user: { uid?: number; gid?: number };
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string, user: { uid?: number; gid?: number }) {
    this.port = port;
    this.#folder = folder;
    this.#user = user;
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tidings-postgres-'));
    // PostgreSQL refuses to run as root.
    const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? postgresUser() : {};
    if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
    const initdb = join(programFolder() ?? '', 'initdb');
    execFileSync(initdb, ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
      ...user,
      stdio: 'ignore',
    });
    const server = new PostgresServer(await freePort(), folder, user);
    await server.up();
    return server;
  }

  createDatabase(): Promise<string> {
    return createDatabase(this.port);
  }

  async up(): Promise<void> {
    const settings = [
      'fsync=off',
      'full_page_writes=off',
      'autovacuum=off',
      'max_connections=300',
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      `unix_socket_directories=${this.#folder}`,
    ].flatMap((setting) => ['-c', setting]);
    this.#process = spawn(join(programFolder() ?? '', 'postgres'), ['-D', join(this.#folder, 'data'), ...settings], {
      ...this.#user,
      stdio: 'ignore',
    });
    await eventually('PostgreSQL to answer', () => this.#answers(), 30_000);
  }

  /** SIGINT is PostgreSQL's fast shutdown, SIGKILL a crash. */
  async down(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  }

  async remove(): Promise<void> {
    await this.down();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    const client = new Client(urlOf(this.port, 'postgres'));
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }
}

function urlOf(port: number, database: string): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`;
}

/** Copying the files of an empty database takes less than half of the CPU time of also logging them. */
const copying = Number(newestVersion()) >= 15 ? ' strategy file_copy' : '';

/** The URL of a new, empty database on the server at this port. */
export async function createDatabase(port: number): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new Client(urlOf(port, 'postgres'));
  await client.connect();
  await client.query(`create database ${name}${copying}`);
  await client.end();
  return urlOf(port, name);
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
