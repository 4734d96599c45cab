// Checks whether the hub can listen on its port, and what occupies it otherwise.
import { systemCode } from '@tidings/live/portable';
import { createServer } from 'node:net';
import { boundedRequest, readUpTo, urlHost } from '@tidings/live/internal';
import { foregroundClock } from '@tidings/live/time';
import type { Finding } from './finding.ts';

const subject = 'port';
const patienceMs = 2000;
const healthy = '{"status":"ok"}';

export async function checkPort(port: number, host: string): Promise<Finding[]> {
  const code = await listening(port, host);
  if (code === undefined) return [{ verdict: 'fine', subject, detail: `${port} on ${host} is free.` }];
  if (code !== 'EADDRINUSE') {
    const advice = 'Choose another with --port, or another address with --host.';
    return [{ verdict: 'wrong', subject, detail: `Listening on ${host}:${port} is not possible (${code}).`, advice }];
  }
  if (await isHub(port, host)) {
    const detail = `${port} on ${host} is used by a running hub.`;
    return [{ verdict: 'note', subject, detail, advice: 'Use that one, or choose another port with --port.' }];
  }
  const detail = `${port} on ${host} is used by another program.`;
  return [{ verdict: 'wrong', subject, detail, advice: 'Stop that program, or choose another port with --port.' }];
}

function listening(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(systemCode(error) ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

async function isHub(port: number, host: string): Promise<boolean> {
  // This timer keeps the process alive: if the connection is cut at once, the request alone does not.
  const bounds = { clock: foregroundClock, withinMs: patienceMs };
  try {
    const url = `http://${urlHost(host)}:${port}/healthz`;
    return await boundedRequest(url, {}, bounds, async ({ ok, body }) => {
      return ok && String(await readUpTo(body, healthy.length)) === healthy;
    });
  } catch {
    return false;
  }
}
