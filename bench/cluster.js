// `node bench/cluster.js`: what several nodes on one PostgreSQL and NATS cost, beside one of them in the same run.
// Needs PostgreSQL and NATS (scripts/install-test-tools.sh). How each figure is taken is in README.md.
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
const load = { perSecond: 500, seconds: 10 };
/** On one node only, and on all three. */
const [alone, everywhere, busy] = [0, 1, 2];

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
  const before = await nodes[1].ask('use');
  const [single, own, other] = [new TimedStreams(), new TimedStreams(), new TimedStreams()];
  for (const node of others)
    await other.open(
      node.url,
      Array.from({ length: streams }, () => [everywhere]),
    );
  const open = await nodes[1].ask('use');
  await own.open(
    writer.url,
    Array.from({ length: streams }, () => [everywhere]),
  );
  await single.open(
    writer.url,
    Array.from({ length: streams }, () => [alone]),
  );
  const times = { single: [], own: [], other: [] };
  const begun = await nodes[1].ask('use');
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const aloneTold = single.next(streams);
    const { at: aloneAt } = await writer.ask('change', { item: alone });
    const aloneTimes = await aloneTold;
    const told = [own.next(streams), other.next(streams * others.length)];
    const { at } = await writer.ask('change', { item: everywhere });
    const [ownTimes, otherTimes] = await Promise.all(told);
    if (round < warmUp) continue;
    times.single.push(...aloneTimes.map((time) => time - aloneAt));
    times.own.push(...ownTimes.map((time) => time - at));
    times.other.push(...otherTimes.map((time) => time - at));
  }
  const done = await nodes[1].ask('use');
  const ratio = quantile(times.other, 0.5) / quantile(times.single, 0.5);
  console.log(`One change, from the begin of its write to a stream; p50 / p99 of ${rounds} changes:`);
  console.log(`  ${streams} streams on the writer's node alone       ${shown(times.single)}`);
  console.log(`  3 × ${streams} streams, those on the writer's node  ${shown(times.own)}`);
  console.log(`  3 × ${streams} streams, those on other nodes        ${shown(times.other)}`);
  console.log(`  other nodes / alone, p50: ${ratio.toFixed(2)} (bar 2)`);
  const heap = (open.heap - before.heap) / streams / 1024;
  const resident = (open.rss - before.rss) / streams / 1024;
  console.log(`A stream costs ${heap.toFixed(1)} KB of heap, ${resident.toFixed(1)} KB resident.`);
  const cpu = ((done.cpuMs - begun.cpuMs) * 1000) / ((rounds + warmUp) * streams);
  console.log(`An update on one stream of another node costs ${cpu.toFixed(1)} µs of CPU there.`);
  for (const each of [single, own, other]) each.close();
}

async function withoutInterest(idle) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const before = await idle.ask('use');
  const made = await Promise.all(nodes.slice(0, 2).map((node) => node.ask('load', { ...load, item: busy })));
  const after = await idle.ask('use');
  await idle.stop();
  const rate = made.reduce((sum, each) => sum + each.made, 0) / load.seconds;
  const share = (after.cpuMs - before.cpuMs) / (load.seconds * 1000);
  console.log(
    `A node without interest: ${(share * 100).toFixed(2)} % of a core at ${Math.round(rate)} changes a second (bar 1 %).`,
  );
}

async function manyTopics() {
  const [writer, reader] = nodes;
  const watching = new TimedStreams();
  const before = await reader.ask('use');
  const begun = performance.now();
  const items = firstItems(topics).map((item) => item + 10);
  const interests = Array.from({ length: topics / topicsOfStream }, (_, n) =>
    items.slice(n * topicsOfStream, (n + 1) * topicsOfStream),
  );
  await watching.open(reader.url, interests);
  const seconds = (performance.now() - begun) / 1000;
  const open = await reader.ask('use');
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const told = watching.next(1);
    const { at } = await writer.ask('change', { item: items[(round * 997) % topics] });
    times.push(...(await told).map((time) => time - at));
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
