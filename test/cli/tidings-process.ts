// The command line as a process of its own, with its two outputs and its exit code.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { onTestFinished } from 'vitest';

export const bin = fileURLToPath(new URL('../../packages/hub/bin/tidings.js', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface StartOptions {
  env?: Record<string, string>;
  /** The working folder. */
  cwd?: string;
  /** Another user, if this process may switch to it. */
  uid?: number;
  /** Options of Node itself, before the script. */
  nodeOptions?: string[];
}

/** A started command; it ends with its test at the latest. */
export class TidingsProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves once both outputs are closed too. */
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';

  constructor(args: string[], { env = {}, nodeOptions = [], ...where }: StartOptions = {}) {
    const options = { env: { ...cleanEnvironment(), ...env }, ...where };
    this.child = spawn(process.execPath, [...nodeOptions, bin, ...args], options);
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr }));
    });
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  /** The first line on stdout. */
  line(): Promise<string> {
    return eventually(`a line on stdout (stderr: ${this.stderr})`, () => /^(.*)\n/.exec(this.stdout)?.[1]);
  }

  /** Sends a signal, waits for the end, and returns how long that took. */
  async end(signal: NodeJS.Signals): Promise<Ended & { ms: number }> {
    const start = performance.now();
    this.child.kill(signal);
    const ended = await this.ended;
    return { ...ended, ms: performance.now() - start };
  }
}

/** Runs a command to its end, with empty stdin. */
export function tidings(args: string[], options?: StartOptions): Promise<Ended> {
  const started = new TidingsProcess(args, options);
  started.child.stdin.end();
  return started.ended;
}

/** The environment without TIDINGS_ variables, which would act as flags. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TIDINGS_')));
}
