// `tidings up` as a process: its output, its refusals, and its end.
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventsSchema, serversSchema } from '../support/wire/strict-answers.ts';
import { freePort } from '../support/network/free-port.ts';
import { HttpSink } from '../support/counterpart/http-sink.ts';
import { openStream } from '../support/wire/raw-http.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { timeLimit } from '../support/run/time-limit.ts';
import { HostedTidings, tidingsCommand } from './hosted-tidings.ts';
import { TidingsProcess, bin, tidings } from './tidings-process.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tidings-up-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

async function start(...args: string[]): Promise<{ hub: HostedTidings; url: string }> {
  const hub = new HostedTidings(['up', '--port', '0', '--json', ...args]);
  const { url }: { url: string } = JSON.parse(await hub.line());
  return { hub, url };
}

/** Resolves whether a program of this machine listens on the port. */
async function hasListener(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}

const json = async (url: string): Promise<unknown> => (await fetch(url)).json();
const serversOf = async (url: string) => serversSchema.parse(await json(`${url}/api/servers`)).servers;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('tidings up', () => {
  test('prints its addresses and servers', async () => {
    const data = await folder();
    const hub = new TidingsProcess(['up', '--data', data], { env: { TIDINGS_PORT: '0' } });
    await eventually('all lines', () => hub.stdout.includes('Ctrl-C'));
    expect(hub.stdout).toMatch(/^Tidings is up at http:\/\/127\.0\.0\.1:\d+$/m);
    expect(hub.stdout).toMatch(/^ {2}servers {4}vcon \(\w+\), schedules \(\w+\), obs \([\w ]+\)$/m);
    expect(hub.stdout).toContain(data);
    expect(await hub.end('SIGINT')).toMatchObject({ code: 0, stderr: '' });
  });

  test('waits for an OBS that no configuration names', async ({ skip }) => {
    const isObsThere = await hasListener(4455);
    skip(isObsThere, 'A program listens on the port of OBS.');
    const data = await folder();
    const { hub, url } = await start('--data', data);
    const obs = async () => (await serversOf(url)).find(({ id }) => id === 'obs');
    await eventually('OBS to be missed', async () => (await obs())?.condition === 'waiting');
    expect(await hub.end('SIGINT')).toMatchObject({ code: 0 });
  });

  test('omits a server of a host file that lacks a value, and names it', async () => {
    const data = await folder();
    const file = join(data, 'mcp.json');
    const counter = { type: 'stdio', command: process.execPath, args: [bin, 'serve', 'counter'] };
    const servers = { counter, asking: { ...counter, env: { KEY: '${input:api-key}' } } };
    await writeFile(file, `// of VS Code\n${JSON.stringify({ inputs: [{ id: 'api-key' }], servers })}`);
    const { url } = await start('--config', file, '--data', data);
    expect(await serversOf(url)).toMatchObject([
      { id: 'counter', enabled: true },
      { id: 'asking', state: 'disabled', detail: expect.stringContaining('Set TIDINGS_INPUT_API_KEY.') },
    ]);
  });

  test('prints the states of slow servers once they have answered, and which live ones need attention', async () => {
    const data = await folder();
    const gate = join(data, 'gate');
    // The server answers once the file exists: after the hub has printed its greeting.
    const wait = `until [ -e '${gate}' ]; do sleep 0.05; done; exec '${process.execPath}' '${bin}' serve counter`;
    const config = join(data, 'servers.json');
    const slow = { id: 'slow', command: 'sh', args: ['-c', wait], trackResources: true };
    await writeFile(config, JSON.stringify({ servers: [slow, { id: 'obs', builtin: 'obs', trackResources: true }] }));
    const env = { TIDINGS_PORT: '0', TIDINGS_OBS_URL: 'ws://127.0.0.1:1' };
    const hub = new HostedTidings(['up', '--config', config, '--data', data], { env });
    await eventually('the greeting', () => hub.stdout.includes('Ctrl-C'));
    // OBS may or may not have been tried by then.
    expect(hub.stdout).toMatch(/^ {2}servers {4}slow \(connecting\), obs \([\w ]+\)$/m);
    await writeFile(gate, '');
    await eventually('the rest', () => /^ {2}servers {4}slow \(live\), obs \(needs attention\)$/m.test(hub.stdout));
    expect(await hub.end('SIGINT')).toMatchObject({ code: 0 });
  });

  test('ignores its own entry in the file of a host', async () => {
    const data = await folder();
    const config = join(data, 'host.json');
    const port = String(await freePort());
    const args = [bin, 'connect', '--hub', `http://127.0.0.1:${port}/mcp`];
    const mcpServers = {
      tidings: { command: process.execPath, args },
      counter: { command: process.execPath, args: [bin, 'serve', 'counter'] },
    };
    await writeFile(config, JSON.stringify({ mcpServers }));
    const { hub, url } = await start('--config', config, '--data', data, '--port', port);
    const warning = 'The server "tidings" is this hub itself, so it is left out.';
    await eventually('the warning', () => hub.stderr.includes(warning));
    await eventually('the other', async () =>
      (await serversOf(url)).some(({ id, state }) => id === 'counter' && state === 'live'),
    );
    expect(await serversOf(url)).toContainEqual(expect.objectContaining({ id: 'tidings', state: 'disabled' }));
    expect(await hub.end('SIGINT')).toMatchObject({ code: 0 });
  });

  test('--open opens the dashboard in the browser, without the token', async () => {
    const [data, programs] = [await folder(), await folder()];
    const opened = join(programs, 'opened');
    const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
    await writeFile(join(programs, opener), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 });
    const env = {
      PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      TIDINGS_PORT: '0',
      TIDINGS_TOKEN: 'a-secret-token',
    };
    const hub = new HostedTidings(['up', '--open', '--data', data, '--json'], { env });
    const { url }: { url: string } = JSON.parse(await hub.line());
    await eventually('the browser', async () => (await readFile(opened, 'utf8').catch(() => '')) === `${url}/`);
    expect(await hub.end('SIGINT')).toMatchObject({ code: 0 });
  });

  test('refuses an unknown built-in server', async () => {
    const file = join(await folder(), 'servers.json');
    await writeFile(file, JSON.stringify({ servers: [{ id: 'notes', builtin: 'notebook' }] }));
    const { code, stderr } = await tidingsCommand(['up', '--port', '0', '--config', file, '--data', await folder()]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${file}: notes: there is no built-in server "notebook". Built in: vcon, schedules, obs.`);
  });

  test('says how a configuration without servers gets one', async () => {
    const file = join(await folder(), 'servers.json');
    await writeFile(file, '{}');
    const hub = new HostedTidings(['up', '--port', '0', '--config', file, '--data', await folder()]);
    await eventually('all lines', () => hub.stdout.includes('Ctrl-C'));
    expect(hub.stdout).toContain('servers    none. Built-in servers have to be named, too: "mcpServers"');
    expect(await hub.end('SIGINT')).toMatchObject({ code: 0 });
  });

  test('ends with its server processes, even if clients keep their streams open', async () => {
    const file = join(await folder(), 'servers.json');
    const child = { id: 'counter', command: process.execPath, args: [bin, 'serve', 'counter'], trackResources: true };
    await writeFile(file, JSON.stringify({ servers: [child] }));
    const hub = new TidingsProcess(['up', '--port', '0', '--json', '--config', file, '--data', await folder()]);
    const { url }: { url: string } = JSON.parse(await hub.line());
    const pid = await eventually('the child', async () => (await serversOf(url))[0]?.pid);
    const events = await SseClient.open(`${url}/api/mcp/resource-events`);
    events.pause();
    for (const era of ['modern', 'legacy'] as const) {
      const stream = await openStream(`${url}/mcp`, era, ['counter://value']);
      stream.res.pause();
    }
    const { code, ms } = await hub.end('SIGINT');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(timeLimit(3000));
    await eventually('the child to be gone', () => !isAlive(pid));
  });

  test('shares a data folder with another hub', async () => {
    const data = await folder();
    const [one, two] = [await start('--demo', '--data', data), await start('--data', data)];
    const path = '/resources/vcon%3A%2F%2Fv1%2Fvcons%2Frecent%2F10';
    // On a busy machine the second hub may not be connected to its servers yet.
    await eventually(
      'the conversations at the second',
      async () => Object(await json(`${two.url}${path}`)).count === 4,
    );
    // A change by the first hub's demo reaches the second hub.
    await eventually('news at the second', async () => {
      const { events } = eventsSchema.parse(await json(`${two.url}/api/events?server=vcon&limit=1000`));
      return events.some(({ type }) => type === 'resource_update');
    });
    const load = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const again = await fetch(`${one.url}/api/demo`, load);
    expect(await again.json()).toEqual({ loaded: { conversations: 4, schedules: 3 } });
    expect(await json(`${one.url}${path}`)).toMatchObject({ count: 4 });
    const elsewhere = await fetch(`${two.url}/api/demo`, load);
    expect(await elsewhere.json()).toEqual({ loaded: { conversations: 4, schedules: 0 } });
  });

  test('applies a valid edit to the changed servers only, and keeps the old configuration after an invalid one', async () => {
    const file = join(await folder(), 'servers.json');
    const counter = { id: 'one', command: process.execPath, args: [bin, 'serve', 'counter'] };
    await writeFile(file, JSON.stringify({ servers: [counter] }));
    const { hub, url } = await start('--config', file, '--data', await folder());
    const pid = await eventually('the child', async () => (await serversOf(url))[0]?.pid);
    await writeFile(file, JSON.stringify({ servers: [counter, { ...counter, id: 'two' }] }));
    await eventually('the second', async () => (await serversOf(url))[1]?.state === 'live');
    expect((await serversOf(url))[0]?.pid).toBe(pid);
    await writeFile(file, '{"servers":[{"id":"one"}]}');
    await eventually('a word about it', () => hub.stderr.includes('servers[0] ("one"): needs exactly one of'));
    expect((await serversOf(url)).map(({ id }) => id)).toEqual(['one', 'two']);
  });

  test('starts no commands of a found file', async () => {
    const home = await folder();
    await mkdir(join(home, 'tidings'));
    const file = join(home, 'tidings', 'mcp-servers.json');
    await writeFile(file, JSON.stringify({ servers: [{ id: 'x', command: 'true' }] }));
    const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
    const { code, stderr } = await tidings(['up', '--port', '0'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain(`${file} was found here and would start commands.`);
    const trusting = new HostedTidings(['up', '--port', '0', '--json', '--trust'], { env });
    expect(JSON.parse(await trusting.line())).toMatchObject({ config: file });
  });

  test('passes no environment variables to servers of a found file', async () => {
    await using sink = await HttpSink.start();
    const home = await folder();
    await mkdir(join(home, 'config'));
    const stranger = { id: 'x', url: `${sink.url}/mcp`, headers: { Authorization: 'Bearer ${MY_SECRET}' } };
    await writeFile(join(home, 'config', 'mcp-servers.json'), JSON.stringify({ servers: [stranger] }));
    const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, MY_SECRET: 'marker-secret' };
    const up = await tidingsCommand(['up', '--port', '0'], { env, cwd: home });
    expect(up).toMatchObject({ code: 1, stderr: expect.stringContaining('would send values of your environment.') });
    const { stdout } = await tidingsCommand(['doctor', '--port', '0'], { env, cwd: home });
    expect(stdout).toContain('would send values of your environment; these servers were not checked');
    expect(sink.received).toEqual([]);
  });

  test('allows access from other machines only with a token', async () => {
    const { code, stderr } = await tidingsCommand(['up', '--host', '0.0.0.0', '--port', '0', '--data', await folder()]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('TIDINGS_TOKEN') });
  });

  test('allows access from other machines with access tokens of an issuer', async () => {
    const file = join(await folder(), 'servers.json');
    const oauth = { issuers: [{ issuer: 'https://id.example.com', audience: 'https://tidings.example.com/mcp' }] };
    await writeFile(file, JSON.stringify({ servers: [], oauth }));
    const args = ['up', '--port', '0', '--json', '--host', '0.0.0.0', '--config', file, '--data', await folder()];
    const hub = new HostedTidings(args);
    const { url }: { url: string } = JSON.parse(await hub.line());
    expect((await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/api/servers`)).status).toBe(401);
    await writeFile(file, '{"servers":[]}');
    await eventually('a word about it', () => /not changed: Other machines could reach/.test(hub.stderr));
    const wrong = { issuers: [{ issuer: 'http://id.example.com', audience: 'x' }] };
    await writeFile(file, JSON.stringify({ servers: [], oauth: wrong }));
    const refused = await tidingsCommand(['up', '--port', '0', '--config', file, '--data', await folder()]);
    const words = `${file}: oauth.issuers[0]: issuer: must begin with https://, except on this machine.`;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  });

  test('refuses other machines when an edit removes its last token', async () => {
    const file = join(await folder(), 'servers.json');
    await writeFile(file, '{"servers":[],"tokens":[{"env":"READER"}]}');
    const args = ['up', '--port', '0', '--json', '--host', '0.0.0.0', '--config', file, '--data', await folder()];
    const hub = new HostedTidings(args, { env: { READER: 'part' } });
    const { url }: { url: string } = JSON.parse(await hub.line());
    const address = `${url.replace('0.0.0.0', '127.0.0.1')}/api/servers`;
    const status = async (headers = {}) => (await fetch(address, { headers })).status;
    await writeFile(file, '{"servers":[],"tokens":[]}');
    await eventually('a word about it', () =>
      /not changed: Other machines could reach .*TIDINGS_TOKEN/.test(hub.stderr),
    );
    expect(await status()).toBe(401);
    expect(await status({ authorization: 'Bearer part' })).toBe(200);
  });

  test('reports in one line that its port is in use, and leaves no files behind', async () => {
    const { hub, url } = await start('--data', await folder());
    const { port } = new URL(url);
    const ended = await tidings(['up', '--port', port, '--data', await folder()]);
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: Port ${port} on 127.0.0.1 is in use. Choose another with --port, or --port 0 for any free one.\n`,
    });
    await hub.end('SIGINT');
  });

  test.each([
    ['{"servers":[{"id":"a","url":"ftp://x"}]}', 'servers[0] ("a"): url: must be an http:// or https:// address.'],
    [
      '{"servers":[],"tokens":[{"env":"NOT_SET"}]}',
      'tokens[0]: env: the environment has no NOT_SET. Set it, or remove this token.',
    ],
    [
      '{"servers":[],"redactions":{"x":{"drop":"tel"}}}',
      'redactions.x: drop: Invalid input: expected array, received string',
    ],
    ['{"servers":', 'This is not JSON: value expected at line 1, column 12.'],
  ])('refuses %s in one line that names file, entry and field', async (text, problem) => {
    const file = join(await folder(), 'servers.json');
    await writeFile(file, text);
    const ended = await tidingsCommand(['up', '--port', '0', '--config', file, '--data', await folder()]);
    expect(ended).toEqual({ code: 1, stdout: '', stderr: `error: ${file}: ${problem}\n` });
  });

  test('stores demo samples separately, and takes its settings from variables too', async () => {
    const home = await folder();
    const file = join(home, 'servers.json');
    await writeFile(file, '{"servers":[]}');
    const env = { HOME: home, XDG_DATA_HOME: home, TIDINGS_CONFIG: file, TIDINGS_DEMO: '1', TIDINGS_JSON: '1' };
    const open = { TIDINGS_PORT: '0', TIDINGS_HOST: '0.0.0.0', TIDINGS_INSECURE: '1' };
    const hub = new HostedTidings(['up'], { env: { ...env, ...open } });
    expect(JSON.parse(await hub.line())).toMatchObject({
      url: expect.stringContaining('0.0.0.0'),
      data: join(home, 'tidings', 'demo'),
      config: file,
    });
  });
});
