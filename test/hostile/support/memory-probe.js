// Loaded into a process under test with --import, together with --expose-gc: on SIGUSR2 it collects garbage and says
// on stderr how much memory is in use and was at most, and how much processor time passed at most between two turns
// of its event loop since the last time. Processor time, since a busy machine delays every process.

const everyMs = 10;
let last = process.cpuUsage();
let longest = 0;

setInterval(() => {
  const { user, system } = process.cpuUsage(last);
  last = process.cpuUsage();
  longest = Math.max(longest, user + system);
}, everyMs).unref();

async function report() {
  const blockedMs = Math.round(longest / 1000);
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const peakRss = process.resourceUsage().maxRSS * 1024;
  last = process.cpuUsage();
  longest = 0;
  process.stderr.write(`\nmemory-probe ${JSON.stringify({ rss, peakRss, heapUsed, external, blockedMs })}\n`);
}

process.on('SIGUSR2', () => void report());
