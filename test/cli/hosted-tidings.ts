// Like TidingsProcess, but the command runs in a process that has run others before: the parent of command-host.js.
import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { freePort } from '../support/network/free-port.ts';
import { type Ended, type StartOptions, cleanEnvironment } from './tidings-process.ts';

const program = fileURLToPath(new URL('command-host.js', import.meta.url));
/** Time for a command that its test leaves running to end before its process is killed. */
const endMs = 2000;

/** Marks the end of a command's stderr. */
const endMark = '\0';

const messageSchema = z.object({
  stdout: z.string().optional(),
  code: z.number().optional(),
});

/** Idle processes for later tests. They end with this process. */
const free: ChildProcess[] = [];

export interface HostedOptions extends Pick<StartOptions, 'env' | 'cwd'> {
  /** All of the command's input. */
  stdin?: string;
}

export class HostedTidings {
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  readonly #host: ChildProcess;
  #isRunning = true;

  constructor(args: string[], { env = {}, cwd = process.cwd(), stdin = '' }: HostedOptions = {}) {
    const host = free.pop() ?? startedHost();
    this.#host = host;
    this.ended = new Promise((resolve) => {
      let exitCode: number | undefined;
      let isComplete = false;
      const ended = (code: number | null) => {
        this.#isRunning = false;
        host.removeAllListeners('message').removeAllListeners('exit');
        host.stderr?.removeAllListeners('data');
        if (host.connected) free.push(host);
        resolve({ code, stdout: this.stdout, stderr: this.stderr });
      };
      host.on('message', (message) => {
        const { stdout = '', code } = messageSchema.parse(message);
        this.stdout += stdout;
        exitCode = code;
        if (exitCode !== undefined && isComplete) ended(exitCode);
      });
      host.stderr?.on('data', (text: string) => {
        const all = this.stderr + text;
        isComplete = all.endsWith(endMark);
        this.stderr = isComplete ? all.slice(0, -endMark.length) : all;
        if (exitCode !== undefined && isComplete) ended(exitCode);
      });
      host.once('exit', ended);
    });
    host.send({ args, env: { ...cleanEnvironment(), ...env }, cwd, stdin });
    onTestFinished(async () => {
      if (!this.#isRunning) return;
      const killing = setTimeout(() => host.kill('SIGKILL'), endMs);
      await this.end('SIGTERM');
      clearTimeout(killing);
    });
  }

  /** The first line on stdout. */
  line(): Promise<string> {
    return eventually(`a line on stdout (stderr: ${this.stderr})`, () => /^(.*)\n/.exec(this.stdout)?.[1]);
  }

  /** Emits the signal in the command's process and waits for the end. */
  async end(signal: 'SIGINT' | 'SIGTERM'): Promise<Ended> {
    this.#host.send({ signal });
    return this.ended;
  }
}

/** Runs a command to its end. */
export function tidingsCommand(args: string[], options?: HostedOptions): Promise<Ended> {
  return new HostedTidings(args, options).ended;
}

/** Starts a server over HTTP on a free port. */
export async function serveOverHttp(...args: string[]): Promise<{ server: HostedTidings; url: string }> {
  const server = new HostedTidings(['serve', ...args, '--port', String(await freePort()), '--json']);
  const { url }: { url: string } = JSON.parse(await server.line());
  return { server, url };
}

function startedHost(): ChildProcess {
  const host = fork(program, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  host.unref();
  host.channel?.unref();
  host.stderr?.setEncoding('utf8');
  if (host.stderr instanceof Socket) host.stderr.unref();
  return host;
}
