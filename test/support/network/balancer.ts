// HAProxy in front of three nodes, with the documented configuration on other ports.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { freePort } from './free-port.ts';
import { serviceNeed } from '../run/service-need.ts';

const program = '/usr/sbin/haproxy';
const documented = fileURLToPath(new URL('../../../docs/haproxy.cfg', import.meta.url));
/** Long, because the machine may be busy. */
const startMs = 30_000;
const documentedPorts = [7411, 7412, 7413];

export const balancerNeed = serviceNeed({
  what: 'HAProxy',
  isThere: existsSync(program),
  install: 'bash scripts/install-test-tools.sh',
});

export class Balancer implements AsyncDisposable {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, process: ChildProcess, folder: string) {
    this.url = url;
    this.#process = process;
    this.#folder = folder;
  }

  /** Starts in front of nodes at these three ports; resolves when it answers. */
  static async start(ports: readonly number[]): Promise<Balancer> {
    const port = await freePort();
    let text = readFileSync(documented, 'utf8').replace('127.0.0.1:7400', `127.0.0.1:${port}`);
    documentedPorts.forEach((one, n) => (text = text.replace(`127.0.0.1:${one}`, `127.0.0.1:${ports[n] ?? one}`)));
    const folder = await mkdtemp(join(tmpdir(), 'tidings-balancer-'));
    await writeFile(join(folder, 'haproxy.cfg'), text);
    const process = spawn(program, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
    const balancer = new Balancer(`http://127.0.0.1:${port}`, process, folder);
    const isReady = async () => (await fetch(`${balancer.url}/readyz`).catch(() => undefined))?.status === 200;
    await eventually('the balancer to answer', isReady, startMs);
    return balancer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    await ended;
    await rm(this.#folder, { recursive: true });
  }
}
