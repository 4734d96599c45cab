// The hub side by side with mcp-proxy, both in front of one server on stdio, and the same
// server without anything in front; then the hub with its three built-in servers.
import { percentile, readTimes, updateTimes, watchedUpstream, watching } from '../hub/clients.js';
import { startDirect, startHub, startProxy, startWholeHub } from '../hub/subjects.js';
import { interleave } from '../interleave.js';

const columns = ['hub', 'proxy', 'direct'];

export function hubRows() {
  let measured;
  const figure = (title, unit, pick, comparisons) => ({
    title: () => title,
    unit,
    columns,
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
  return [
    figure('a read through it, p50', 'ms', ({ reads }) => shares(reads, 0.5), both),
    figure('a read through it, p99', 'ms', ({ reads }) => shares(reads, 0.99), both),
    figure('an update through it, p50', 'ms', ({ updates }) => shares(updates, 0.5), both),
    figure('an update through it, p99', 'ms', ({ updates }) => shares(updates, 0.99), both),
    figure('memory of the process with all clients', 'MB', ({ memory }) => memory, against),
    figure('URIs and lists watched upstream with all clients', '', ({ watched }) => watched, against),
    own('hub, three built-ins: ready after', 'ms', 'ready', 2000),
    own('hub, three built-ins, idle: memory', 'MB', 'memory', 150),
  ];
}

async function measureProxies({ runs, reads, updates, clients }) {
  const subjects = { hub: await startHub(), proxy: await startProxy(), direct: await startDirect() };
  const crowd = [];
  try {
    const watchers = {};
    for (const name of columns) watchers[name] = await watching(subjects[name].url);
    const measured = {
      reads: await interleave(runs, watchers, (watcher) => readTimes(watcher, reads)),
      updates: await interleave(runs, watchers, (watcher) => updateTimes(watcher, updates)),
      memory: {},
      watched: {},
    };
    for (const name of ['hub', 'proxy']) {
      for (let index = 1; index < clients; index += 1) crowd.push(await watching(subjects[name].url));
      measured.memory[name] = [subjects[name].memory()];
      measured.watched[name] = [await watchedUpstream(watchers[name])];
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
