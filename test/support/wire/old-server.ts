// A server of the 1.x SDK.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { onTestFinished } from 'vitest';
import { freePort } from '../network/free-port.ts';

/** Its program. */
export const oldServer = fileURLToPath(new URL('../../fixtures/old-server.js', import.meta.url));

/** Starts it over HTTP. */
export async function serveOld(
  port = 0,
  start = 0,
  more: readonly string[] = [],
): Promise<{ url: string; end(): Promise<void> }> {
  const at = port === 0 ? await freePort() : port;
  const child = spawn(process.execPath, [oldServer, '--port', `${at}`, '--start', `${start}`, ...more]);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await eventually('its address', () => /^(http.+)\n/.exec(stdout)?.[1]);
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url, end };
}
