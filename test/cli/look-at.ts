// The servers that the looking commands are tried on: our own in each era and on each transport, and those of
// the 1.x SDK.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { onTestFinished } from 'vitest';
import { bin } from './tidings-process.ts';

const oldServer = fileURLToPath(new URL('../fixtures/old-server.js', import.meta.url));

/** The arguments that have `tidings` start one of its own servers. */
export function started(...serve: string[]): string[] {
  return ['--', process.execPath, bin, 'serve', ...serve];
}

export function startedOld(...args: string[]): string[] {
  return ['--', process.execPath, oldServer, ...args];
}

/** A server of the 1.x SDK over HTTP. */
export async function serveOld(port = 0, start = 0): Promise<{ url: string; end(): Promise<void> }> {
  const child = spawn(process.execPath, [oldServer, '--port', `${port}`, '--start', `${start}`]);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await eventually('its address', () => /^(http.+)\n/.exec(stdout)?.[1], 15_000);
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url, end };
}

/** Whether a process lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
