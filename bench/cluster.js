// `node bench/cluster.js`: the cost of several nodes on one PostgreSQL and NATS, compared with one of them in the same
// run. Needs PostgreSQL and NATS (scripts/install-test-tools.sh). README.md explains each figure.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LocalServices, freePort } from '../scripts/local-services.js';
import { BenchNode } from './cluster/node.js';
import { TimedStreams } from './cluster/timed-streams.js';
import { firstItems } from './items.js';

const { values } = parseArgs({
  options: { streams: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '60' } },
});
const [streams, rounds] = [Number(values.streams), Number(values.rounds)];
const warmUp = 5;
const topics = 10_000;
const topicsOfStream = 500;
const load = { perSecond: 500, seconds: 3, periods: 5 };
/** Items watched on the writer's node only, on another node only, and on all three; `busy` changes all the time. */
const [alone, elsewhere, everywhere, busy] = [0, 1, 2, 3];

const missing = LocalServices.missing('postgres', 'initdb', 'nats-server');
if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}. See scripts/install-test-tools.sh.`);
const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-cluster-'));
const services = new LocalServices(folder, (name, log) => console.error(`${name} has ended: ${log}`));
const nodes = [];
try {
  const [place, bus] = [await services.postgres(await freePort()), await services.nats(await freePort())];
  for (let n = 0; n < 3; n += 1) nodes.push(await BenchNode.start(place, bus));
  await streamsOnThreeNodes();
  await withoutInterest(await BenchNode.start(place, bus));
  await manyTopics();
} finally {
  for (const node of nodes) await node.stop();
  await services.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function streamsOnThreeNodes() {
  const [writer, ...others] = nodes;
  const [single, away, own, other] = Array.from({ length: 4 }, () => new TimedStreams());
  const watching = (item) => Array.from({ length: streams }, () => [item]);
  const before = await nodes[1].ask('memory');
  for (const node of others) await other.open(node.url, watching(everywhere));
  const open = await nodes[1].ask('memory');
  await own.open(writer.url, watching(everywhere));
  await single.open(writer.url, watching(alone));
  await away.open(others[0].url, watching(elsewhere));
  const times = { single: [], away: [], own: [], other: [] };
  /** Makes one change and adds each group's latencies to its times. */
  const measure = async (item, groups, counts) => {
    const updates = Object.entries(groups).map(([name, group]) => group.next(counts[name] ?? streams));
    const { at } = await writer.ask('change', { item });
    const arrivals = await Promise.all(updates);
    return Object.keys(groups).map((name, n) => [name, arrivals[n].map((time) => time - at)]);
  };
  let begun;
  for (let round = 0; round < rounds + warmUp; round += 1) {
    if (round === warmUp) begun = await nodes[2].ask('cpu');
    const measured = [
      await measure(alone, { single }, {}),
      await measure(elsewhere, { away }, {}),
      await measure(everywhere, { own, other }, { other: streams * others.length }),
    ];
    if (round < warmUp) continue;
    for (const [name, some] of measured.flat()) times[name].push(...some);
  }
  const done = await nodes[2].ask('cpu');
  const ratio = quantile(times.away, 0.5) / quantile(times.single, 0.5);
  const spread = quantile(times.other, 0.5) / quantile(times.own, 0.5);
  console.log(`One change, from the begin of its write to a stream; p50 / p99 of ${rounds} changes:`);
  console.log(`  ${streams} streams on the writer's node             ${shown(times.single)}`);
  console.log(`  ${streams} streams on another node                  ${shown(times.away)}`);
  console.log(`  3 × ${streams} streams, those on the writer's node  ${shown(times.own)}`);
  console.log(`  3 × ${streams} streams, those on other nodes        ${shown(times.other)}`);
  console.log(`  another node / the writer's, p50: ${ratio.toFixed(2)}; with all three: ${spread.toFixed(2)} (bar 2)`);
  const heap = (open.heap - before.heap) / streams / 1024;
  const resident = (open.rss - before.rss) / streams / 1024;
  console.log(`A stream costs ${heap.toFixed(1)} KB of heap, ${resident.toFixed(1)} KB resident.`);
  const cpu = ((done.cpuMs - begun.cpuMs) * 1000) / (rounds * streams);
  console.log(`An update on one stream of another node costs ${cpu.toFixed(1)} µs of CPU there.`);
  for (const each of [single, away, own, other]) each.close();
}

/** The median of some periods, because in one of them V8 collects the garbage of the start. */
async function withoutInterest(idle) {
  const periods = [];
  for (let n = 0; n < load.periods; n += 1) {
    const before = await idle.ask('cpu');
    const made = await Promise.all(nodes.slice(0, 2).map((node) => node.ask('load', { ...load, item: busy })));
    const after = await idle.ask('cpu');
    const rate = made.reduce((sum, each) => sum + each.made, 0) / load.seconds;
    periods.push({ rate, share: (after.cpuMs - before.cpuMs) / (load.seconds * 1000) });
  }
  await idle.stop();
  const median = (key) =>
    quantile(
      periods.map((period) => period[key]),
      0.5,
    );
  const percent = (median('share') * 100).toFixed(2);
  const rate = Math.round(median('rate'));
  console.log(`A node without interest: ${percent} % of a core at ${rate} changes a second (bar 1 %).`);
}

async function manyTopics() {
  const [writer, reader] = nodes;
  const watching = new TimedStreams();
  const before = await reader.ask('memory');
  const begun = performance.now();
  const items = firstItems(topics).map((item) => item + 10);
  const interests = Array.from({ length: topics / topicsOfStream }, (_, n) =>
    items.slice(n * topicsOfStream, (n + 1) * topicsOfStream),
  );
  await watching.open(reader.url, interests);
  const seconds = (performance.now() - begun) / 1000;
  const open = await reader.ask('memory');
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const update = watching.next(1);
    const { at } = await writer.ask('change', { item: items[(round * 997) % topics] });
    times.push(...(await update).map((time) => time - at));
  }
  const heap = (open.heap - before.heap) / topics / 1024;
  console.log(
    `${topics} topics at once: ${seconds.toFixed(1)} s until they are watched, ${heap.toFixed(1)} KB each; a change of one ${shown(times)}`,
  );
  watching.close();
}

function quantile(samples, part) {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

function shown(samples) {
  return `${quantile(samples, 0.5).toFixed(1)} / ${quantile(samples, 0.99).toFixed(1)} ms`;
}
