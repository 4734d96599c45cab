// From the start of the tracker's process to the last subscription. The servers run already, over HTTP. The modern era
// needs one stream per server, the legacy era one request per resource.
import { startProcess } from '../calls.js';

export const coldStart = {
  title: ({ upstreams, resourcesEach }) =>
    `${upstreams} servers × ${resourcesEach} resources subscribed from a cold start`,
  unit: 's',
  columns: ['tracker'],
  comparisons: [{ of: 'tracker', atMost: 5 }],
  measure: (sizes) => timeStarts(sizes, 'modern'),
};

export const legacyColdStart = {
  title: ({ upstreams, resourcesEach }) => `the same in the 2025 era, ${upstreams * resourcesEach} requests`,
  unit: 's',
  columns: ['tracker'],
  comparisons: [{ of: 'tracker', atMost: 6 }],
  measure: (sizes) => timeStarts(sizes, 'legacy'),
};

async function timeStarts({ upstreams, resourcesEach, coldStarts }, era) {
  const upstream = startProcess('./tracker/upstream-process.js');
  try {
    const urls = await upstream.call('serve', { servers: upstreams, resources: resourcesEach, era });
    const samples = [];
    for (let run = 0; run < coldStarts; run += 1) samples.push(await start(urls, resourcesEach));
    return { tracker: samples };
  } finally {
    await upstream.stop();
  }
}

async function start(urls, resources) {
  const started = performance.now();
  const tracker = startProcess('./tracker/tracker-process.js');
  try {
    await tracker.call('start', { urls });
    await tracker.call('subscribed', resources);
    return (performance.now() - started) / 1000;
  } finally {
    await tracker.stop();
  }
}
