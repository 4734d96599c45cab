// Loaded into a process under test with --import and --expose-gc: on SIGUSR2 it collects garbage and prints to stderr
// the present and the maximum memory, and the longest turn of the event loop since the last measurement. Turns are
// measured in CPU time, because a busy machine delays every process.
import { cpuMs } from '../../support/run/cpu-wait.js';

const everyMs = 10;
let last = cpuMs(process.pid);
let longest = 0;

setInterval(() => {
  const now = cpuMs(process.pid);
  longest = Math.max(longest, now - last);
  last = now;
}, everyMs).unref();

async function report() {
  const longestTurnMs = Math.round(longest);
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const peakRss = process.resourceUsage().maxRSS * 1024;
  last = cpuMs(process.pid);
  longest = 0;
  process.stderr.write(`\nmemory-probe ${JSON.stringify({ rss, peakRss, heapUsed, external, longestTurnMs })}\n`);
}

process.on('SIGUSR2', () => void report());
