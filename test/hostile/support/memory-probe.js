// Loaded into a process under test with --import, together with --expose-gc: on SIGUSR2 it collects garbage
// and says on stderr how much memory is in use and was at most, and for how long the event loop was blocked at most since the last time.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

async function report() {
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const peakRss = process.resourceUsage().maxRSS * 1024;
  const blockedMs = Math.round(delay.max / 1e6);
  delay.reset();
  process.stderr.write(`\nmemory-probe ${JSON.stringify({ rss, peakRss, heapUsed, external, blockedMs })}\n`);
}

process.on('SIGUSR2', () => void report());
