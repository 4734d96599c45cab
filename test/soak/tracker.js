// `npm run soak` (an hour; `-- --minutes 5` for less): a tracker with servers of both eras that change all the time.
// Memory, handles and listeners must not grow, the tracker must make fewer than two errors an hour, and a reader
// that relies on the event stream must have the current contents at the end.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { liveServer, notFound, serveHttp } from '@tidings/live';
import { openTracker, serveEvents } from '@tidings/track';

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const lengthMs = Number(options.minutes) * 60_000;
const resourcesEach = 100;
const limits = { errorsPerHour: 2, growth: 1.15, growthMb: 3, handles: 5 };

const folder = mkdtempSync(join(tmpdir(), 'tidings-soak-'));
const truths = new Map();
const closers = [];

/** A server over HTTP, in the modern era. */
async function httpServer(id) {
  const truth = new Map(firstNotes());
  truths.set(id, truth);
  const server = liveServer({ name: id, version: '1.0.0' });
  const note = server.resource('note://{name}', {
    read: ({ name }) => truth.get(`note://${name}`) ?? notFound(),
    list: () => [...truth.keys()].map((uri) => ({ name: uri.slice('note://'.length) })),
  });
  const running = await serveHttp(server);
  closers.push(
    () => running.close(),
    () => server.close(),
  );
  const changed = (uri, isListed) => {
    note.changed({ name: uri.slice('note://'.length) });
    if (isListed) server.listChanged();
  };
  return { entry: { id, url: running.url, headers: {}, enabled: true, trackResources: true }, truth, changed };
}

/** A server on stdio, in the 2025 era. */
function stdioServer(id) {
  const truth = new Map(firstNotes());
  truths.set(id, truth);
  const file = join(folder, id, 'script.json');
  const write = () => {
    writeFileSync(`${file}.draft`, JSON.stringify({ resources: Object.fromEntries(truth) }));
    renameSync(`${file}.draft`, file);
  };
  mkdirSync(join(folder, id));
  write();
  const program = fileURLToPath(new URL('../track/scripted-server.js', import.meta.url));
  const entry = { id, command: process.execPath, args: [program, file], env: {}, enabled: true, trackResources: true };
  return { entry, truth, changed: write };
}

function firstNotes() {
  return Array.from({ length: resourcesEach }, (_, n) => [`note://${n}`, 'first']);
}

/** A reader that reads a resource only after an event. */
class Believer {
  #held = new Map();
  #reading = new Map();
  #tracker;

  constructor(tracker, url) {
    this.#tracker = tracker;
    readEvents(url, (event) => this.#receive(event));
  }

  async start() {
    for (const [id, truth] of truths) for (const uri of truth.keys()) await this.#read(id, uri);
  }

  get wrong() {
    let wrong = 0;
    for (const [id, truth] of truths)
      for (const [uri, text] of truth) if (this.#held.get(`${id} ${uri}`) !== text) wrong += 1;
    return wrong;
  }

  #receive(event) {
    if (event.type === 'resource_update') void this.#read(event.serverId, event.resourceUri);
    if (event.type === 'list_changed') for (const uri of event.added) void this.#read(event.serverId, uri);
    if (event.type !== 'gap') return;
    for (const [id, truth] of truths)
      if (event.serverId === undefined || event.serverId === id)
        for (const uri of truth.keys()) void this.#read(id, uri);
  }

  /** Reads one resource at a time. A request during a read, or a failed read, leads to one more read. */
  async #read(id, uri) {
    const key = `${id} ${uri}`;
    const isRunning = this.#reading.has(key);
    this.#reading.set(key, 'again');
    if (isRunning) return;
    while (this.#reading.get(key) === 'again') {
      this.#reading.set(key, 'once');
      try {
        const { contents } = await this.#tracker.read(id, uri);
        this.#held.set(key, contents[0]?.text);
      } catch {
        this.#held.delete(key);
        await sleep(100);
        // The server may be restarting, or the resource was removed.
        if (truths.get(id).has(uri)) this.#reading.set(key, 'again');
      }
    }
    this.#reading.delete(key);
  }
}

function readEvents(url, receive = () => undefined) {
  const request = get(url, { agent: false }, (response) => {
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        const data = block.split('\n').find((line) => line.startsWith('data: '));
        if (data) receive(JSON.parse(data.slice('data: '.length)));
      }
    });
    response.on('error', () => undefined);
  });
  request.on('error', () => undefined);
  return request;
}

const pick = (items) => items[Math.floor(Math.random() * items.length)];

/** Causes changes of contents and lists, event streams that open, stall and close, and restarts of servers. */
async function churn({ servers, tracker, url, until }) {
  let turn = 0;
  const readers = [];
  while (performance.now() < until) {
    turn += 1;
    const { truth, changed } = pick(servers);
    const uri = pick([...truth.keys()]);
    truth.set(uri, `version ${turn}`);
    changed(uri, false);
    if (turn % 20 === 0) {
      const extra = `note://extra-${turn}`;
      truth.set(extra, 'new');
      changed(extra, true);
      const old = [...truth.keys()].find((each) => each.startsWith('note://extra-') && each !== extra);
      if (old !== undefined && truth.size > resourcesEach + 5) {
        truth.delete(old);
        changed(old, true);
      }
    }
    if (turn % 30 === 0) {
      const reader = readEvents(url);
      if (turn % 60 === 0) reader.on('response', (response) => response.pause());
      readers.push(reader);
      if (readers.length > 6) readers.shift().destroy();
    }
    if (turn % 600 === 0) restart(tracker, servers);
    await sleep(100);
  }
  for (const reader of readers) reader.destroy();
}

/** Restarts a server as an edit of the configuration does. */
function restart(tracker, servers) {
  const commands = servers.filter(({ entry }) => 'command' in entry);
  const { entry } = pick(commands);
  entry.env = { RESTARTED: String(Date.now()) };
  tracker.apply({ servers: servers.map((server) => ({ ...server.entry })), tokens: [] });
}

async function sample(tracker, started) {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await sleep(20);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const errors = [...(await tracker.metrics()).matchAll(/^tidings_tracker_errors_total\{.*\} (\d+)/gm)];
  return {
    minute: (performance.now() - started) / 60_000,
    heap: (heapUsed + external) / 1024 / 1024,
    rss: rss / 1024 / 1024,
    handles: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate').length,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    errors: errors.reduce((sum, [, count]) => sum + Number(count), 0),
    events: tracker.journal.end - 1,
  };
}

const servers = [
  await httpServer('http-1'),
  await httpServer('http-2'),
  stdioServer('stdio-1'),
  stdioServer('stdio-2'),
];
const warnings = [];
const log = {
  info: () => undefined,
  warn: (fields) => warnings.push(fields),
  error: (fields) => warnings.push(fields),
};
const tracker = await openTracker({
  config: { servers: servers.map(({ entry }) => ({ ...entry })), tokens: [] },
  place: join(folder, 'data'),
  // A small journal is full before the first sample, so it does not grow afterwards.
  settings: { journal: { entries: 200, bytes: 1_000_000 } },
  log,
});
const http = await serveEvents(tracker.events);
while (!tracker.servers().every(({ hashed }) => hashed === resourcesEach)) await sleep(20);
const believer = new Believer(tracker, http.url);
await believer.start();

const started = performance.now();
const until = started + lengthMs;
const samples = [];
const churning = churn({ servers, tracker, url: http.url, until });
const print = (row) =>
  console.log(
    Object.values(row)
      .map((value) => String(Math.round(value * 10) / 10).padStart(9))
      .join(''),
  );
console.log('   minute  heap MB   rss MB  handles   timers listeners   errors   events');
while (performance.now() < until) {
  await sleep(Math.min(lengthMs / 40, 60_000));
  samples.push(await sample(tracker, started));
  print(samples.at(-1));
}
await churning;
for (let tries = 0; believer.wrong > 0 && tries < 100; tries += 1) await sleep(100);

const quarter = Math.floor(samples.length / 4);
const typical = (rows, field) => rows.map((row) => row[field]).toSorted((a, b) => a - b)[rows.length >> 1];
const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
const problems = [];
for (const field of ['heap', 'handles', 'listeners']) {
  const [before, after] = [typical(early, field), typical(late, field)];
  const slack = field === 'heap' ? limits.growthMb : limits.handles;
  console.log(`${field}: ${before.toFixed(1)} in the second quarter, ${after.toFixed(1)} in the last`);
  if (after > before * limits.growth && after > before + slack) problems.push(`${field} grew`);
}
const errors = samples.at(-1)?.errors ?? 0;
const perHour = errors / (lengthMs / 3_600_000);
console.log(
  `tracker errors: ${errors}, ${perHour.toFixed(1)} an hour; resources the reader has wrong: ${believer.wrong}`,
);
// In a short run, a single error would exceed the hourly rate.
if (errors >= Math.max(1, limits.errorsPerHour * (lengthMs / 3_600_000)))
  problems.push(`too many errors: ${JSON.stringify(warnings.slice(0, 3))}`);
if (believer.wrong > 0) problems.push('the reader was not told of everything');

await tracker.close();
await http.close();
for (const close of closers) await close();
rmSync(folder, { recursive: true, force: true });
console.log(problems.length === 0 ? 'The soak is passed.' : `The soak FAILED: ${problems.join('; ')}`);
process.exit(problems.length === 0 ? 0 : 1);
