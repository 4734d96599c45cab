// Servers over HTTP without the SDK, all on one port: each path is the name of a misbehaviour. Prints `{"port": …}`.
// Redirects lead to `/thief`; `/thief/heard` returns the requests that arrived there.
import { createServer } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { answers, deepText, raw, textOf, wellBehaved } from './answers.js';

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
const heard = [];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Made once, because that takes a while. */
const spaces = Buffer.alloc(200 * 1024 * 1024, ' ');
const bombs = {
  gzip: gzipSync(spaces),
  br: brotliCompressSync(spaces, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
  event: gzipSync(Buffer.concat([Buffer.from('data: '), spaces])),
};

function drained(res) {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

/** Writes until the other side closes. */
async function endlessly(res, head, piece, everyMs = 0) {
  res.write(head);
  while (!res.destroyed) {
    if (!res.write(piece)) await drained(res);
    await pause(everyMs);
  }
}

/** Writes without end, each byte in a separate HTTP chunk. */
async function bytesApart(res, byte) {
  const { socket } = res;
  const piece = `1\r\n${byte}\r\n`.repeat(10_000);
  while (!socket.destroyed) {
    if (!socket.write(piece)) await drained(socket);
    await pause(0);
  }
}

const compressed = (encoding) => (res) => {
  res.writeHead(200, { ...json, 'content-encoding': encoding, 'content-length': bombs[encoding].length });
  res.end(bombs[encoding]);
};

/** By misbehaviour: the response to a request after the handshake. */
const requests = {
  'gzip-bomb': compressed('gzip'),
  'brotli-bomb': compressed('br'),
  'gzip-bomb-event': (res) => {
    res.writeHead(200, { ...events, 'content-encoding': 'gzip' });
    res.end(bombs.event);
  },
  'endless-event': (res) =>
    endlessly(res.writeHead(200, events), 'event: message\n', `data: ${'x'.repeat(1000)}\n`.repeat(60)),
  'endless-line': (res) => endlessly(res.writeHead(200, events), 'data: ', 'x'.repeat(65_536)),
  'endless-body': (res) => endlessly(res.writeHead(200, json), '"', 'x'.repeat(65_536)),
  'endless-error': (res) => endlessly(res.writeHead(500, json), '"', 'x'.repeat(65_536)),
  'slow-drip': (res) => endlessly(res.writeHead(200, json), '{', ' ', 1000),
  'body-tiny-chunks': (res) => {
    res.writeHead(200, json).flushHeaders();
    return bytesApart(res, '[');
  },
  'body-tiny-spaces': (res) => {
    res.writeHead(200, json).flushHeaders();
    return bytesApart(res, ' ');
  },
  silent: () => undefined,
  'wrong-type': (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  'redirect-elsewhere': (res, _, { thief }) => res.writeHead(307, { location: thief }).end(),
  'redirect-by-get': (res, _, { thief }) => res.writeHead(302, { location: thief }).end(),
  'redirect-inward': (res) => res.writeHead(308, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  'redirect-to-file': (res) => res.writeHead(307, { location: 'file:///etc/passwd' }).end(),
  'redirect-loop': (res, req) => res.writeHead(307, { location: req.url }).end(),
  cookies: (res, _, { reply }) => {
    res.writeHead(200, {
      ...json,
      'set-cookie': Array.from({ length: 50 }, (_, n) => `c${n}=${'x'.repeat(100)}; Path=/`),
    });
    res.end(reply);
  },
  'large-headers': (res, _, { reply }) => {
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, 'x'.repeat(10_000)]));
    res.writeHead(200, { ...json, ...headers }).end(reply);
  },
  'garbled-chunks': (res) => {
    res.socket.end(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{"a":\r\n-5\r\n',
    );
  },
  'http-1.0': (res, _, { reply }) => {
    res.socket.end(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${reply}`);
  },
  'not-http': (res) => res.socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  'endless-early-hints': async (res) => {
    const { socket } = res;
    while (!socket.destroyed) {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(50));
      await pause(5);
    }
  },
  'endless-continue': async (res) => {
    const { socket } = res;
    while (!socket.destroyed) {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(50));
      await pause(5);
    }
  },
  'wrong-ids': (res) => res.writeHead(200, json).end('{"jsonrpc":"2.0","id":"none of yours","result":{}}'),
};

/** By misbehaviour: the bytes on the notification stream. */
const streams = {
  'stream-endless-event': (res) => endlessly(res, '', `data: ${'x'.repeat(1000)}\n`.repeat(60)),
  'stream-storm': (res) => {
    const updated = (n) => ({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: `unknown://${n}` },
    });
    return endlessly(
      res,
      '',
      Array.from({ length: 100 }, (_, n) => `data: ${JSON.stringify(updated(n))}\n\n`).join(''),
    );
  },
  'stream-requests': (res) =>
    endlessly(
      res,
      '',
      Array.from({ length: 50 }, (_, n) => `data: {"jsonrpc":"2.0","id":"s${n}","method":"ping"}\n\n`).join(''),
    ),
  'stream-deep': (res) =>
    void res.write(
      `data: ${textOf({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a://1', _meta: raw(deepText(5000)) } })}\n\n`,
    ),
  'stream-ends-at-once': (res) => void res.end('retry: 0\n\n'),
  'stream-returns': (res) => endlessly(res, '', '\r'.repeat(65_536)),
  'stream-blank-lines': (res) => endlessly(res, '', '\n'.repeat(65_536)),
  'stream-comments': (res) => endlessly(res, '', ':\n'.repeat(32_768)),
  'stream-tiny-chunks': (res) => bytesApart(res, ':'),
  'stream-large-messages': (res) => {
    const params = { uri: 'a://1', _meta: { many: Array(400_000).fill('x'.repeat(20)) } };
    const message = { jsonrpc: '2.0', method: 'notifications/resources/updated', params };
    return endlessly(res, '', `data: ${JSON.stringify(message)}\n\n`);
  },
  'stream-garbage': (res) => endlessly(res, '', 'data: no JSON\n\ndata: {"half":\n\n'.repeat(20)),
};

/** The additional members of a result in 2026-07-28. */
const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'public' };
const capabilities = { resources: { subscribe: true, listChanged: true } };
const discovered = { ...complete, supportedVersions: ['2026-07-28'], capabilities };
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

/** By misbehaviour: the bytes on a 2026-07-28 listen stream after its acknowledgement. */
const listens = {
  'listen-endless-event': (res) => endlessly(res, '', `data: ${'x'.repeat(1000)}\n`.repeat(60)),
  'listen-storm': (res, notify) =>
    endlessly(
      res,
      '',
      Array.from({ length: 100 }, (_, n) => notify('resources/updated', { uri: `unknown://${n}` })).join(''),
    ),
  'listen-list-changed-storm': (res, notify) => endlessly(res, '', notify('resources/list_changed', {}), 1),
  'listen-deep': (res, notify) =>
    void res.write(notify('resources/updated', { uri: 'a://1', deep: raw(deepText(5000)) })),
  'listen-ends-at-once': (res) => void res.end(),
  'listen-never-acknowledged': undefined,
};

function listen(res, name, { id, params }) {
  res.writeHead(200, events).flushHeaders();
  const notify = (method, more) =>
    `data: ${textOf({ jsonrpc: '2.0', method: `notifications/${method}`, params: { ...more, _meta: { [subscriptionKey]: id } } })}\n\n`;
  if (listens[name] === undefined) return;
  res.write(notify('subscriptions/acknowledged', { notifications: params.notifications }));
  void listens[name](res, notify);
}

/** Misbehaviours that answer with an event instead of JSON. */
const isEvent = (name) => name.endsWith('-as-event');

/** Kept per misbehaviour, because some count their pages. */
const known = new Map();
function methodsOf(name) {
  const methods = known.get(name) ?? { ...wellBehaved(name), ...answers[name.replace(/-as-event$/, '')]?.(name) };
  known.set(name, methods);
  return methods;
}

async function read(req) {
  let text = '';
  for await (const chunk of req) text += chunk;
  return text;
}

async function answer(req, res) {
  const name = req.url.split('/')[1];
  res.on('error', () => undefined);
  if (name === 'thief') {
    if (req.url === '/thief/heard') return void res.writeHead(200, json).end(JSON.stringify(heard));
    heard.push({ method: req.method, headers: req.headers, body: await read(req) });
    return void res.writeHead(200, json).end('{}');
  }
  if (req.method === 'GET') {
    if (streams[name] === undefined) return void res.writeHead(405).end();
    res.writeHead(200, events);
    res.flushHeaders();
    return void streams[name](res);
  }
  if (req.method === 'DELETE') return void res.writeHead(200).end();
  const { id, method, params = {} } = JSON.parse(await read(req));
  // Responses to the server's own requests get no HTTP response.
  const isIgnored = method === undefined && name === 'stream-requests';
  if (id === undefined || method === undefined) return void (isIgnored || res.writeHead(202).end());
  if (method === 'subscriptions/listen') return listen(res, name, { id, params });
  const isModern = name in listens;
  const methods = isModern ? { ...methodsOf(name), 'server/discover': () => discovered } : methodsOf(name);
  const isHandshake = method === 'initialize' || method === 'server/discover';
  let reply;
  try {
    if (methods[method] === undefined) throw { code: -32601, message: 'Method not found' };
    reply = textOf({ jsonrpc: '2.0', id, result: { ...(isModern && complete), ...methods[method](params) } });
  } catch (error) {
    reply = textOf({ jsonrpc: '2.0', id, error });
  }
  const headers = method === 'initialize' ? { 'mcp-session-id': name } : {};
  const thief = `http://localhost:${server.address().port}/thief`;
  if (!isHandshake && requests[name]) return void requests[name](res, req, { reply, thief });
  if (isEvent(name)) return void res.writeHead(200, { ...events, ...headers }).end(`data: ${reply}\n\n`);
  return void res.writeHead(200, { ...json, ...headers }).end(reply);
}

const server = createServer((req, res) => void answer(req, res));
server.on('clientError', (_, socket) => socket.destroy());
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`));
process.stdin.resume().on('end', () => process.exit(0));
