// Free ports of loopback, for servers that are started later, or stopped and started again at their address. The system
// may give a port that is not in use to any other server of a test, so these are below the range that it chooses from,
// and each worker has its own: none is given again before all others of the worker were.
import { createServer } from 'node:net';

/** Linux chooses ports from 32768 on, other systems from 49152 on. */
const ports = { first: 12_288, ofWorker: 320, workers: 64 };
/** Its parent is the same for all workers of a run, and another one in each run. */
const worker = (process.ppid + Number(process.env['VITEST_POOL_ID'] ?? 0)) % ports.workers;
let last = Math.floor(Math.random() * ports.ofWorker);

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ports.ofWorker; tries += 1) {
    last = (last + 1) % ports.ofWorker;
    const port = ports.first + worker * ports.ofWorker + last;
    if (await isFree(port)) return port;
  }
  throw new Error('All ports of this worker are in use.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
