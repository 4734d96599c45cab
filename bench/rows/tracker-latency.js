// From a change in a server to its event, through the tracker and directly from the server, at the same time and under
// load. No resource changes twice within the tracker's window.
import { startProcess } from '../calls.js';
import { median } from '../median.js';

export const trackerLatency = {
  title: ({ tracked, changesPerSecond }) =>
    `change to frame at the 99th percentile, ${tracked} resources, ${changesPerSecond} changes/s`,
  unit: 'ms',
  columns: ['tracker', 'direct'],
  comparisons: [{ of: 'tracker', over: 'direct', atMost: 2 }],
  async measure({ tracked, changesPerSecond, latencyRuns }) {
    const processes = [];
    const start = (file) => {
      processes.push(startProcess(`./tracker/${file}`));
      return processes.at(-1);
    };
    try {
      const [upstream, tracker] = ['upstream', 'tracker'].map((name) => start(`${name}-process.js`));
      // Separate processes, so that garbage collection of one client does not delay the other.
      const watchers = { tracker: start('watcher-process.js'), direct: start('watcher-process.js') };
      const [serverUrl] = await upstream.call('serve', { servers: 1, resources: tracked, era: 'modern' });
      const eventsUrl = await tracker.call('start', { urls: [serverUrl] });
      await tracker.call('settled', tracked);
      await watchers.direct.call('listen', { serverUrl, items: tracked });
      await watchers.tracker.call('follow', eventsUrl);
      return await runs({ upstream, watchers }, { tracked, changesPerSecond, latencyRuns });
    } finally {
      for (const process of processes) await process.stop();
    }
  },
};

async function runs({ upstream, watchers }, { tracked, changesPerSecond, latencyRuns }) {
  const samples = { tracker: [], direct: [] };
  const all = { tracker: [], direct: [] };
  for (let run = -1; run < latencyRuns; run += 1) {
    for (const watcher of Object.values(watchers)) await watcher.call('begin');
    const changed = await upstream.call('change', { items: tracked, perSecond: changesPerSecond });
    for (const [way, watcher] of Object.entries(watchers)) {
      const arrived = await watcher.call('collect', tracked);
      if (run < 0) continue;
      const latencies = arrived.map((at, item) => at - changed[item]);
      samples[way].push(quantile(latencies, 0.99));
      all[way].push(...latencies);
    }
  }
  console.log();
  for (const [way, latencies] of Object.entries(all)) {
    const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((q) => quantile(latencies, q).toFixed(2));
    console.log(
      `   ${way.padEnd(8)} p50 ${p50}  p95 ${p95}  p99 ${p99}  max ${max} ms  (${latencies.length} changes, median of p99 ${median(samples[way]).toFixed(2)})`,
    );
  }
  return samples;
}

function quantile(values, q) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}
