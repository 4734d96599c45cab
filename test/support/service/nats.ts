// A NATS server for one test, on a free port of loopback. It can be stopped and started again on its port.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { eventually } from '@tidings/live/testing';
import { z } from 'zod';
import { freePort } from '../network/free-port.ts';
import { serviceNeed } from '../run/service-need.ts';

const program = ['/usr/sbin/nats-server', '/usr/bin/nats-server'].find((path) => existsSync(path));

export const natsNeed = serviceNeed({
  what: 'NATS',
  isThere: program !== undefined,
  install: 'bash scripts/install-test-tools.sh',
});

const connzSchema = z.object({ connections: z.array(z.object({ subscriptions: z.number() })) });

export class NatsServer implements AsyncDisposable {
  readonly port: number;
  readonly #monitorPort: number;
  #process: ChildProcess | undefined;

  private constructor(port: number, monitorPort: number) {
    this.port = port;
    this.#monitorPort = monitorPort;
  }

  static async start(): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), await freePort());
    await server.up();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async up(): Promise<void> {
    const args = ['--addr', '127.0.0.1', '--port', String(this.port), '--http_port', String(this.#monitorPort)];
    this.#process = spawn(program ?? 'nats-server', args, { stdio: 'ignore' });
    await eventually('NATS to answer', () => answers(this.port));
  }

  /** The number of subscriptions of all clients. */
  async subscriptions(): Promise<number> {
    const answer: unknown = await (await fetch(`http://127.0.0.1:${this.#monitorPort}/connz`)).json();
    const { connections } = connzSchema.parse(answer);
    return connections.reduce((sum, { subscriptions }) => sum + subscriptions, 0);
  }

  async down(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
