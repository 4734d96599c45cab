// The process under attack: one kit server over HTTP and stdio. In its own process, a crash is an exit and a busy loop
// is a missing response. The test gets reports over IPC.
//
//   node server-process.js          HTTP on one free port, the stdio protocol per connection on another
//   node server-process.js stdio    the real stdin and stdout
import { once } from 'node:events';
import { createServer } from 'node:net';
import { liveServer, notFound, serveHttp, serveStdio, systemClock } from '@tidings/live';
import { eventLoopTurn } from '@tidings/live/time';
import { z } from 'zod';

const complaints = [];
const log = {
  warn: () => undefined,
  // Only the handlers that fail on purpose may fail: any other logged error is a finding.
  error: ({ err }, message) => {
    if (err?.message !== 'boom-secret') complaints.push(`${message} ${err?.stack ?? String(err)}`);
  },
};
// For example, Node's warning about too many listeners on one emitter.
process.on('warning', (warning) => complaints.push(warning.stack));

const notes = new Map([
  ['today', 'tea'],
  ['São Paulo/x', 'rain'],
]);
const server = liveServer({
  name: 'fuzzed',
  version: '1.0.0',
  log,
  windowMs: 5,
  pageSize: 7,
  limits: { bodyBytes: 256 * 1024, urisPerSubscriber: 50 },
  authorize: async (_caller, uri) => !uri.startsWith('secret:'),
});

const note = server.resource('notes://{name}', {
  read: ({ name }) => notes.get(name) ?? notFound(),
  list: () => [...notes.keys()].map((name) => ({ name })),
  complete: { name: (prefix) => [...notes.keys()].filter((name) => name.startsWith(prefix)) },
});
server.resource('files://host/{+path}', { read: ({ path }) => ({ path }), topics: ({ path }) => path.split('/') });
server.resource('page://{book}{/number}', {
  read: ({ book, number }) => new TextEncoder().encode(`${book} ${number ?? 'cover'}`),
  listAfter: async function* listAfter(last) {
    for (let number = Number(last?.number ?? 0) + 1; number <= 20; number += 1)
      yield { book: 'a', number: `${number}` };
  },
});
server.resource('clock://now', { read: () => ({ now: 0 }), ttlMs: 1000, cacheScope: 'public' });
server.resource('secret://{name}', { read: ({ name }) => name });
server.resource('boom://{name}', { read: fail });

server.tool('set_note', { input: z.object({ name: z.string(), text: z.string() }) }, ({ name, text }) => {
  // Only existing notes are changed, so that the state stays small.
  if (notes.has(name)) notes.set(name, text);
  note.changed({ name });
});
server.tool('echo', { input: z.object({ value: z.unknown() }) }, ({ value }) =>
  // A value that is nested too deeply cannot be serialised.
  typeof value === 'string' ? value : typeof value,
);
server.tool('slow', { input: z.object({ ms: z.int().min(0).max(30_000) }) }, async ({ ms }) => {
  await new Promise((resolve) => void systemClock.after(ms, resolve));
  return 'done';
});
server.tool('boom', {}, fail);
server.prompt(
  'greet',
  { args: z.object({ who: z.string() }), complete: { who: () => ['Ann', 'Bob'] } },
  ({ who }) => `Greet ${who}.`,
);
server.prompt('boom', {}, fail);

function fail() {
  throw new Error('boom-secret');
}

if (process.argv[2] === 'stdio') {
  await serveStdio(server).closed;
  await subscriptionsEnd();
  process.send(report({ streams: 0, sessions: 0 }));
  process.disconnect();
} else {
  const running = await serveHttp(server);
  const lines = createServer((socket) => {
    void serveStdio(server, { input: socket, output: socket }).closed.then(() => socket.end(() => socket.destroy()));
  });
  await once(lines.listen(0, '127.0.0.1'), 'listening');
  const answer = async (question) => {
    if (question === 'weigh') globalThis.gc();
    if (question === 'close') {
      lines.close();
      await running.close();
      await subscriptionsEnd();
    }
    process.send(report(running.endpoint.open));
    // The IPC channel is the last thing that keeps the process alive.
    if (question === 'close') process.disconnect();
  };
  process.on('message', (question) => void answer(question));
  process.send({ url: running.url, linePort: lines.address().port });
}

/** A closed connection's subscriptions are removed in slices: the rest follows when other events were handled. */
async function subscriptionsEnd() {
  for (let turn = 0; turn < 100 && server.stats().watched > 0; turn += 1) await eventLoopTurn();
}

function report(open) {
  return {
    ...server.stats(),
    ...open,
    sockets: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    heapBytes: process.memoryUsage().heapUsed,
    complaints,
  };
}
