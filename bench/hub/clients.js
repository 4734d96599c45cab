// A client of a proxy that measures the times of reads and updates. It does as little as possible, so that its own work
// and garbage collection do not affect the figures.
import { Agent, request } from 'node:http';

const uri = 'item://1';
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
};

export async function watching(url) {
  const watcher = { url, agent: new Agent({ keepAlive: true }), onUpdate: () => undefined };
  const notifications = { resourceSubscriptions: [uri] };
  const stream = await post(watcher, 'subscriptions/listen', { notifications });
  await new Promise((resolve) => {
    // Each event is small and written at once, so it arrives in one chunk.
    stream.on('data', (text) => {
      if (text.includes('notifications/subscriptions/acknowledged')) resolve();
      if (text.includes('notifications/resources/updated')) watcher.onUpdate(process.hrtime.bigint());
    });
  });
  return watcher;
}

/** Each in milliseconds. */
export async function readTimes(watcher, count) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    const { contents } = await ask(watcher, 'resources/read', { uri }, uri);
    times.push(performance.now() - started);
    if (contents[0].uri !== uri) throw new Error('This is another resource.');
  }
  return times;
}

/** For each of `count` updates, the time until it arrived at each of these clients. */
export async function updateTimes(watchers, count) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const updates = Promise.all(watchers.map((each) => new Promise((resolve) => (each.onUpdate = resolve))));
    await callTool(watchers[0], 'change_soon');
    const arrivals = await updates;
    const changedAt = BigInt(await callTool(watchers[0], 'changed_at'));
    for (const at of arrivals) times.push(Number(at - changedAt) / 1e6);
  }
  return times;
}

export async function watchedUpstream(watcher) {
  return Number(await callTool(watcher, 'watched', { uri }));
}

export function percentile(times, share) {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
}

async function callTool(watcher, name, args = {}) {
  const { content } = await ask(watcher, 'tools/call', { name, arguments: args }, name);
  return content[0].text;
}

async function ask(watcher, method, params, name) {
  const response = await post(watcher, method, params, name);
  let text = '';
  for await (const chunk of response) text += chunk;
  // Some servers answer each request with a stream of one event.
  const json = response.headers['content-type'].startsWith('text/event-stream')
    ? /^data: (\{.*)$/m.exec(text)[1]
    : text;
  const { result } = JSON.parse(json);
  if (result === undefined) throw new Error(`"${method}" failed: ${text}`);
  return result;
}

function post({ url, agent }, method, params, name) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  const headers = {
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
    'Content-Length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => resolve(response.setEncoding('utf8')));
    sent.on('error', reject).end(body);
  });
}
