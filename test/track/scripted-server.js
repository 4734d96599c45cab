// A 2025-era server on stdio, written by hand so that it can misbehave in every way that a test needs. Its resources
// and its behaviour are in the file named on its command line, which a test edits while it runs:
//   { "resources": {uri: text}, "capabilities": {…}, "refuse": [uri…], "quiet": bool, "ignoreEnd": bool, … }
// It announces differences it finds in the file, unless `quiet` is set.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

const [file, ...flags] = process.argv.slice(2);
const requestsFile = `${file}.requests`;
const pageSize = 1000;
let state = load();
const subscribed = new Set();
const listing = new Map();

function load() {
  return {
    resources: {},
    refuse: [],
    capabilities: { resources: { subscribe: true, listChanged: true } },
    ...JSON.parse(readFileSync(file, 'utf8')),
  };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

const notify = (method, params) => send({ method, ...(params && { params }) });

function look() {
  let next;
  try {
    next = load();
  } catch {
    return;
  }
  const before = state;
  state = next;
  if (state.do !== undefined && state.do.id !== before.do?.id) void act(state.do);
  if (state.quiet) return;
  const uris = Object.keys(state.resources);
  const isOther = uris.join('\n') !== Object.keys(before.resources).join('\n');
  if (isOther && state.capabilities.resources?.listChanged) notify('notifications/resources/list_changed');
  for (const uri of new Set([...uris, ...Object.keys(before.resources)])) {
    if (
      subscribed.has(uri) &&
      state.resources[uri] !== before.resources[uri] &&
      !(state.forgets && !(uri in state.resources))
    )
      notify('notifications/resources/updated', { uri });
    // Like many servers, with `forgets`: a removed resource loses its subscriptions.
    if (state.forgets && !(uri in state.resources)) subscribed.delete(uri);
  }
}

/** Single acts. */
async function act({ what, uri, times, perTick = 1 }) {
  if (what === 'notify') for (let n = 0; n < times; n += 1) notify('notifications/resources/updated', { uri });
  if (what === 'flood') {
    for (let n = 0; n < times; n += perTick) {
      for (let each = 0; each < perTick; each += 1) notify('notifications/resources/updated', { uri });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  if (what === 'noise') {
    process.stdout.write('loading 42%');
    notify('notifications/resources/updated', { uri });
  }
  if (what === 'torn') {
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
    process.stdout.write(`${text.slice(0, 40)}LOG\n${text.slice(40)}\n`);
  }
  if (what === 'garbage') process.stdout.write('no JSON here\n{"half": \n\u0000\u0001\n[1,2\n{"jsonrpc":"1.0"}\n');
  if (what === 'list_changed') for (let n = 0; n < times; n += 1) notify('notifications/resources/list_changed');
  if (what === 'half-close') process.stdout.end();
  if (what === 'exit') process.exit(3);
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: state.capabilities,
    serverInfo: { name: 'scripted', version: '1.0.0' },
  }),
  ping: () => ({}),
  'resources/list': async ({ cursor = '0' }) => {
    // All pages come from the list at the time of the first request.
    const all = cursor === '0' ? Object.keys(state.resources) : (listing.get('list') ?? []);
    listing.set('list', all);
    if (state.listDelayMs) await new Promise((resolve) => setTimeout(resolve, state.listDelayMs));
    if (state.listFails) throw { code: -32603, message: 'The list is not available.' };
    const from = Number(cursor);
    const page = all.slice(from, from + pageSize).map((uri) => ({ uri, name: uri }));
    return { resources: page, ...(from + pageSize < all.length && { nextCursor: String(from + pageSize) }) };
  },
  'resources/templates/list': () => {
    throw { code: -32601, message: 'Method not found' };
  },
  'resources/read': ({ uri }) => {
    const text = state.resources[uri];
    if (text === undefined) throw { code: -32002, message: 'No such resource.', data: { uri } };
    const size = /^large:(\d+)/.exec(text)?.[1];
    return {
      contents: [{ uri, mimeType: 'text/plain', text: size === undefined ? text : text.padEnd(Number(size), 'x') }],
    };
  },
  'resources/subscribe': ({ uri }) => {
    if (state.refuse.includes(uri)) throw { code: -32602, message: 'This one cannot be subscribed to.' };
    subscribed.add(uri);
    return {};
  },
  // Blocks the process, as many tools do.
  'tools/call': ({ arguments: { ms } }) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return { content: [{ type: 'text', text: 'done' }] };
  },
  'resources/unsubscribe': ({ uri }) => {
    subscribed.delete(uri);
    return {};
  },
};

async function answer({ id, method, params = {} }) {
  if (state.logRequests) appendFileSync(requestsFile, `${method} ${params.uri ?? ''}\n`);
  if (id === undefined) return;
  if (method === 'server/discover' && flags.includes('--dies-of-discover')) process.exit(1);
  if (state.hangs) return;
  if (state.delayMs) await new Promise((resolve) => setTimeout(resolve, state.delayMs));
  try {
    const handler = methods[method];
    if (handler === undefined) throw { code: -32601, message: 'Method not found' };
    send({ id, result: await handler(params) });
  } catch (error) {
    send({ id, error });
  }
}

watch(dirname(file), look);
setInterval(look, 50);
if (flags.includes('--with-child')) {
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], {
    stdio: 'ignore',
  });
  process.stderr.write(`child ${child.pid}\n`);
}
const ignoresEnd = flags.includes('--ignores-end');
if (ignoresEnd) process.on('SIGTERM', () => undefined);
createInterface({ input: process.stdin })
  .on('line', (line) => void answer(JSON.parse(line)))
  .on('close', () => {
    if (!ignoresEnd) process.exit(0);
  });
