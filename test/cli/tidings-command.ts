// The other side of command-host.js.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Ended, type StartOptions, cleanEnvironment } from './tidings-process.ts';

const program = fileURLToPath(new URL('command-host.js', import.meta.url));
let host: ChildProcess | undefined;
let isBusy = false;

/** Runs a command that ends by itself, in a process that has run others before. */
export async function tidingsCommand(
  args: string[],
  { env = {}, cwd = process.cwd() }: Pick<StartOptions, 'env' | 'cwd'> = {},
): Promise<Ended> {
  if (isBusy) throw new Error('One command at a time: the process has one stdout.');
  isBusy = true;
  host ??= started();
  const child = host;
  onTestFinished(() => {
    // A command that did not end in time goes with its process.
    if (isBusy) child.kill('SIGKILL');
  });
  try {
    return await new Promise<Ended>((resolve, reject) => {
      child.once('message', (ended: Ended) => resolve(ended));
      child.once('exit', (code, signal) => reject(new Error(`The process of the commands ended: ${code ?? signal}.`)));
      child.send({ args, env: { ...cleanEnvironment(), ...env }, cwd });
    });
  } finally {
    isBusy = false;
    child.removeAllListeners('message');
    child.removeAllListeners('exit');
    if (child.exitCode !== null || child.signalCode !== null) host = undefined;
  }
}

function started(): ChildProcess {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // It ends with this process.
  child.unref();
  child.channel?.unref();
  return child;
}
