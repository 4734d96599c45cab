// A marker in every place where a configuration, the environment or a request can have a secret; all output of the hub
// and of `doctor` is searched for it.
import { readFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { TidingsProcess, bin, tidings } from '../cli/tidings-process.ts';
import { RawStream, ask, openStream, send } from '../support/wire/raw-http.ts';
import { serversSchema } from '../support/wire/strict-answers.ts';

const marker = 'M4rk3r-5ecret';
const hidden = (what: string) => `${marker}-${what}`;
const token = hidden('token');
const bearer = { authorization: `Bearer ${token}` };

/** A server that ends at once, and prints its key first. */
const leaky = 'console.error("bad key", process.env.KEY, process.argv.at(-1)); process.exit(1)';

/** A server that answers with its environment and arguments. */
const careless = `
  const capabilities = { resources: {}, tools: {} };
  const serverInfo = { name: 'careless', version: '1.0.0' };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const error = { code: -32603, message: 'wrong key ' + process.env.KEY };
    const result = { protocolVersion: '2025-06-18', capabilities, serverInfo };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result } : { error }) }));
  });`;

/** An HTTP server that quotes the request's headers in its response. */
async function quoting(sent: unknown[]): Promise<number> {
  const server = createServer((req, res) => {
    sent.push(req.headers.authorization);
    res.writeHead(403).end(`no: ${JSON.stringify(req.headers)} ${req.url}`);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tidings-secrets-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

async function configuration(sent: unknown[]): Promise<object> {
  const port = await quoting(sent);
  const [header, url] = [{ Authorization: 'Bearer ${BEARER}', 'X-Key': hidden('header') }, `?key=${hidden('query')}`];
  const counter = { command: process.execPath, args: [bin, 'serve', 'counter'], env: { KEY: hidden('env') } };
  return {
    servers: [
      { id: 'fine', ...counter, trackResources: true },
      { id: 'leaky', ...counter, args: ['-e', leaky, '--', '${ARGUMENT}'] },
      { id: 'careless', ...counter, args: ['-e', careless], trackResources: true },
      { id: 'missing', ...counter, command: 'no-such-program-anywhere' },
      { id: 'away', url: `http://user:${hidden('url')}@127.0.0.1:9/mcp${url}`, headers: header },
      { id: 'nowhere', url: `http://user:${hidden('url')}@no-such-host.invalid/mcp${url}`, headers: header },
      {
        id: 'quoting',
        url: `http://user:${hidden('url')}@127.0.0.1:${port}/mcp${url}`,
        headers: { 'X-Key': hidden('x') },
      },
      { id: 'refusing', url: `http://127.0.0.1:${port}/mcp${url}`, headers: header },
      { id: 'obs', builtin: 'obs', trackResources: true },
      { id: 'schedules', builtin: 'schedules' },
    ],
    tokens: [{ env: 'WHOLE' }],
    realtime: ['ws://127.0.0.1:9'],
  };
}

it('no secret is in logs, routes, streams, metrics, the data folder, or the output of doctor', async () => {
  const place = await folder();
  const file = join(place, 'servers.json');
  const data = join(place, 'data');
  const sent: unknown[] = [];
  const config = await configuration(sent);
  await writeFile(file, JSON.stringify(config));
  const env = {
    WHOLE: token,
    BEARER: hidden('bearer'),
    ARGUMENT: hidden('argument'),
    REALTIME_KEY: hidden('realtime'),
    TIDINGS_LOG_LEVEL: 'trace',
    TIDINGS_OBS_PASSWORD: hidden('obs'),
    TIDINGS_OBS_URL: 'ws://127.0.0.1:9',
    TIDINGS_NTFY_TOKEN: hidden('ntfy'),
    TIDINGS_EMBED_KEY: hidden('embed'),
  };
  const crash = 'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("crash")})';
  const args = ['up', '--port', '0', '--config', file, '--data', data];
  const hub = new TidingsProcess(args, { env, nodeOptions: ['--import', crash] });
  const url = await eventually('the address', () => /up at (\S+)/.exec(hub.stdout)?.[1]);

  const said: string[] = [];
  const asJson = { 'Content-Type': 'application/json' };
  const get = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, { ...init, headers: { ...bearer, ...asJson }, redirect: 'manual' });
    said.push(path.replace(token, ''), JSON.stringify([...answer.headers]), await answer.text());
    return said.at(-1) ?? '';
  };
  const events = new RawStream(await send(`${url}/api/mcp/resource-events?after=`, 'GET', bearer));
  const streams = [events];
  for (const era of ['modern', 'legacy'] as const) {
    streams.push(await openStream(`${url}/mcp`, era, ['counter://value'], bearer));
  }
  const session = { kind: 'openai-realtime', key_env: 'REALTIME_KEY', url: 'ws://127.0.0.1:9' };
  await get('/api/sessions', { method: 'POST', body: JSON.stringify(session) });
  // They do not all wait at the same moment, so each is checked repeatedly.
  const failed = new Set<string>();
  await eventually('all to have failed', async () => {
    const { servers } = serversSchema.parse(JSON.parse(await get('/api/servers')));
    for (const { id, state } of servers) if (state === 'backoff') failed.add(id);
    if ((await get('/api/sessions')).includes('backoff')) failed.add('the session');
    return failed.size === 7;
  });
  for (const path of [
    '/',
    `/?token=${token}`,
    '/?token=wrong',
    '/healthz',
    '/readyz',
    '/metrics',
    '/nothing',
    '/api/resources',
  ])
    await get(path);
  for (const path of [
    '/api/events?limit=1000',
    '/api/sessions/transcript/transcript',
    '/resources/counter%3A%2F%2Fvalue',
  ])
    await get(path);
  for (const id of ['leaky', 'careless', 'missing', 'away', 'nowhere', 'quoting', 'refusing']) {
    await get(`/resources/tidings%3A%2F%2F${id}%2Fx%253A%252F%252Fy`);
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list'])
      said.push(JSON.stringify((await ask(`${url}/mcp/${id}`, 'modern', method, {}, bearer)).message));
  }
  const changes = await ask(`${url}/mcp`, 'modern', 'tools/call', { name: 'list_changes', arguments: {} }, bearer);
  said.push(JSON.stringify(changes.message));
  // An edit that is invalid JSON, with the secret at the error.
  await writeFile(file, `{"servers": ${hidden('slip')}}`);
  await eventually('a word about it', () => hub.stderr.includes('This is not JSON'));
  hub.child.kill('SIGUSR2');
  const { code, stdout, stderr } = await hub.ended;
  expect(code).not.toBe(0);
  expect(stderr).toContain('Error: crash');
  said.push(stdout, stderr, ...streams.map(({ text }) => text));

  for (const name of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (name.isFile()) said.push((await readFile(join(name.parentPath, name.name))).toString('latin1'));
  }
  await writeFile(file, JSON.stringify(config));
  for (const flags of [[], ['--json']]) {
    const examined = await tidings(['doctor', '--port', '0', '--config', file, '--data', data, ...flags], { env });
    expect(examined.stdout).toContain('leaky');
    said.push(examined.stdout, examined.stderr);
  }
  const all = said.join('\n');
  const around = [...all.matchAll(new RegExp(`.{0,200}${marker}.{0,100}`, 'g'))].map(([text]) => text);
  expect([...new Set(around)]).toEqual([]);
  // The secrets have been written and sent, so they could have been found.
  expect(all).toContain('bad key … …');
  expect(all).toMatch(/"reason":"refresh","error":"[^"]*wrong key …"/);
  expect(all).toMatch(/"code":"UNAVAILABLE","message":"[^"]*wrong key …"/);
  expect(sent).toContain(`Basic ${btoa(`user:${hidden('url')}`)}`);
  expect(sent).toContain(`Bearer ${hidden('bearer')}`);
});
