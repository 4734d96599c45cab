// PostgreSQL, NATS and other programs on loopback, with their data and logs in one folder; for `npm run cluster` and
// the benchmark of clusters.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';

export class LocalServices {
  #folder;
  #running = [];
  #ended;
  #isStopping = false;

  /** `ended` is called with the name of a program that ends without being stopped, and the end of its log. */
  constructor(folder, ended) {
    this.#folder = folder;
    this.#ended = ended;
    mkdirSync(folder, { recursive: true });
    // PostgreSQL may run as another user, which must be able to read the folder.
    chmodSync(folder, 0o755);
  }

  /** The names of missing programs. */
  static missing(...names) {
    return names.filter((name) => programOf(name) === undefined);
  }

  /** Resolves with the URL of a database. */
  async postgres(port) {
    const data = join(this.#folder, 'postgres');
    // PostgreSQL refuses to run as root.
    const user = process.getuid?.() === 0 ? postgresUser() : {};
    if (!existsSync(data)) {
      mkdirSync(data);
      if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
      execFileSync(programOf('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], {
        ...user,
        cwd: '/',
        stdio: 'ignore',
      });
    }
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${data}`];
    settings.push('max_connections=300');
    const flags = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    this.start('postgres', programOf('postgres'), flags, { ...user, cwd: '/' });
    await this.answering('postgres', port);
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Resolves with its URL. */
  async nats(port) {
    this.start('nats', programOf('nats-server'), ['--addr', '127.0.0.1', '--port', String(port)]);
    await this.answering('nats', port);
    return `nats://127.0.0.1:${port}`;
  }

  async haproxy(file, port) {
    this.start('haproxy', programOf('haproxy'), ['-db', '-f', file]);
    await this.answering('haproxy', port);
  }

  start(name, program, args, options = {}) {
    const log = this.#log(name);
    writeFileSync(log, '');
    // A separate process group: Ctrl-C reaches only the script, which stops the programs in order.
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    for (const output of [child.stdout, child.stderr])
      output.on('data', (text) => writeFileSync(log, text, { flag: 'a' }));
    child.once('exit', () => {
      if (!this.#isStopping) this.#ended(name, readFileSync(log, 'utf8').slice(-1000));
    });
    this.#running.push(child);
    return child;
  }

  /** Resolves when a program listens on the port; throws after half a minute, with the log. */
  async answering(name, port) {
    for (let tries = 0; tries < 300; tries += 1) {
      if (await isOpen(port)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${name} does not answer at port ${port}:\n${readFileSync(this.#log(name), 'utf8').slice(-1000)}`);
  }

  /** In reverse order, so that nodes hand over before their database stops. */
  async stop() {
    if (this.#isStopping) return;
    this.#isStopping = true;
    for (const child of this.#running.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
    }
  }

  #log(name) {
    return join(this.#folder, `${name.replace(' ', '-')}.log`);
  }
}

export function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });
}

/** A free port. */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function programOf(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', postgresFolder()];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Debian installs the programs outside of the PATH, by version. */
function postgresFolder() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return join(debian, versions[0] ?? '', 'bin');
}

function postgresUser() {
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
