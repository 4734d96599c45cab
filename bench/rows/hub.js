// The hub compared with mcp-proxy, both in front of one server on stdio, and with the server alone; for one client also
// with a minimal proxy; then the hub with its three built-in servers.
import { percentile, readTimes, updateTimes, watchedUpstream, watching } from '../hub/clients.js';
import { startBareProxy, startDirect, startHub, startProxy, startWholeHub } from '../hub/subjects.js';
import { interleave } from '../interleave.js';

const columns = ['hub', 'proxy', 'direct'];
const columnsOfOne = ['hub', 'proxy', 'bare', 'direct'];

/** Rows of all clients together, rows of the hub alone, and rows of one client. */
export function hubRows() {
  let measured;
  const figure = (title, unit, pick, comparisons, shown = columns) => ({
    title: ({ hub: { clients } }) => title.replace('all clients', `${clients} clients`),
    unit,
    columns: shown,
    comparisons,
    measure: async (sizes) => {
      measured ??= measureProxies(sizes.hub);
      return pick(await measured);
    },
  });
  const both = [
    { of: 'hub', over: 'proxy', atMost: 0.8 },
    { of: 'hub', over: 'direct' },
  ];
  const against = [{ of: 'hub', over: 'proxy' }];
  const besideBare = [...both, { of: 'bare', over: 'proxy' }];
  const ofOne = (title, share) => figure(title, 'ms', ({ single }) => shares(single, share), besideBare, columnsOfOne);
  let whole;
  const own = (title, unit, name, atMost) => ({
    title: () => title,
    unit,
    columns,
    comparisons: [{ of: 'hub', atMost }],
    measure: async (sizes) => {
      whole ??= measureWhole(sizes.hub);
      return { hub: (await whole)[name] };
    },
  });
  return {
    ofAll: [
      figure('a read through the proxy, all clients watching, p50', 'ms', ({ reads }) => shares(reads, 0.5), both),
      figure('a read through the proxy, all clients watching, p99', 'ms', ({ reads }) => shares(reads, 0.99), both),
      figure('an update through the proxy, to all clients, p50', 'ms', ({ updates }) => shares(updates, 0.5), both),
      figure('an update through the proxy, to all clients, p99', 'ms', ({ updates }) => shares(updates, 0.99), both),
      figure('memory of the process with all clients', 'MB', ({ memory }) => memory, against),
      figure('URIs and lists watched upstream with all clients', '', ({ watched }) => watched, against),
      own('hub, three built-ins: ready after', 'ms', 'ready', 2000),
      own('hub, three built-ins, idle: memory', 'MB', 'memory', 150),
    ],
    ofOne: [
      ofOne('an update through the proxy, to one client, p50', 0.5),
      ofOne('an update through the proxy, to one client, p99', 0.99),
    ],
  };
}

async function measureProxies({ runs, reads, updates, updatesToAll, clients }) {
  const subjects = {
    hub: await startHub(),
    proxy: await startProxy(),
    bare: await startBareProxy(),
    direct: await startDirect(),
  };
  try {
    const alone = {};
    for (const name of columnsOfOne) alone[name] = [await watching(subjects[name].url)];
    const single = await interleave(runs, alone, (each) => updateTimes(each, updates));
    const watchers = Object.fromEntries(columns.map((name) => [name, alone[name]]));
    for (const name of columns) {
      while (watchers[name].length < clients) watchers[name].push(await watching(subjects[name].url));
    }
    const measured = {
      single,
      reads: await interleave(runs, watchers, ([reader]) => readTimes(reader, reads)),
      updates: await interleave(runs, watchers, (each) => updateTimes(each, updatesToAll)),
      memory: {},
      watched: {},
    };
    for (const name of ['hub', 'proxy']) {
      measured.memory[name] = [subjects[name].memory()];
      measured.watched[name] = [await watchedUpstream(watchers[name][0])];
    }
    return measured;
  } finally {
    for (const subject of Object.values(subjects)) await subject.stop();
  }
}

async function measureWhole({ starts }) {
  const ready = [];
  const memory = [];
  for (let index = 0; index < starts; index += 1) {
    const hub = await startWholeHub();
    ready.push(hub.readyMs);
    memory.push(hub.memory());
    await hub.stop();
  }
  return { ready, memory };
}

function shares(samples, share) {
  return Object.fromEntries(
    Object.entries(samples).map(([name, runs]) => [name, runs.map((times) => percentile(times, share))]),
  );
}
