// From the arrival of a notification at the hub to the message on the wire of a realtime session, under load: with
// updates for one session each, as when sessions have separate resources, and with updates for all.
import { startProcess } from '../calls.js';
import { uriOf } from '../items.js';
import { percentile } from '../hub/clients.js';

export function agentRows() {
  let measured;
  const row = (share, name, bar) => ({
    title: ({ agents: { sessions, perSecond } }) =>
      `notification to a session's wire, ${perSecond} updates/s, ${sessions} sessions, ${name}`,
    unit: 'ms',
    columns: ['toOne', 'toAll'],
    comparisons: [
      { of: 'toOne', ...bar },
      // Without a limit: its rate is far above the requirement.
      { of: 'toAll' },
    ],
    measure: async (sizes) => {
      measured ??= measureAll(sizes.agents);
      const { toOne, toAll } = await measured;
      return { toOne: toOne.map((run) => percentile(run, share)), toAll: toAll.map((run) => percentile(run, share)) };
    },
  });
  return [row(0.5, 'p50', {}), row(0.99, 'p99', { atMost: 3000 })];
}

async function measureAll({ sessions, perSecond, items, runs }) {
  const [upstream, hub, realtime] = [
    startProcess('./tracker/upstream-process.js'),
    startProcess('./agents/hub-process.js', profiling()),
    startProcess('./agents/realtime-process.js'),
  ];
  try {
    const [server] = await upstream.call('serve', { servers: 1, resources: items, era: 'modern' });
    const url = await realtime.call('listen');
    await hub.call('start', { url: server, items, realtime: url });
    const samples = {};
    for (const [way, patterns] of Object.entries({
      toOne: Array.from({ length: sessions }, (_, index) => shareOf(index, sessions)),
      toAll: Array.from({ length: sessions }, () => [uriOf('**').replace('~', '')]),
    })) {
      await hub.call('attach', { url, patterns });
      const messages = way === 'toAll' ? items * sessions : items;
      samples[way] = await latencies({ upstream, hub, realtime }, { perSecond, items, messages, runs });
    }
    return samples;
  } finally {
    for (const process of [upstream, hub, realtime]) await process.stop();
  }
}

async function latencies({ upstream, hub, realtime }, { perSecond, items, messages, runs }) {
  const samples = [];
  // The first run warms up.
  for (let run = 0; run <= runs; run += 1) {
    await realtime.call('begin');
    await upstream.call('change', { items, perSecond });
    const arrived = await realtime.call('collect', messages);
    const received = new Map((await hub.call('received', items)).map((at, item) => [uriOf(item), at]));
    if (run > 0) samples.push(arrived.map(([uri, at]) => at - received.get(uri)));
  }
  return samples;
}

/** Items are distributed among the sessions by the last two digits of their number. */
function shareOf(index, sessions) {
  const endings = Array.from({ length: 100 / sessions }, (_, turn) => index + turn * sessions);
  const single = endings.filter((ending) => ending < 10);
  return [...endings.map((ending) => uriOf(`*${String(ending).padStart(2, '0')}`)), ...single.map(uriOf)];
}

/** With TIDINGS_BENCH_PROFILE set to a folder, the hub writes a CPU profile there. */
function profiling() {
  const folder = process.env.TIDINGS_BENCH_PROFILE;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
