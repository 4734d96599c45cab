import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { runningHub } from '../hub/running-hub.ts';
import { oldServer, serveOld } from '../support/wire/old-server.ts';
import { isAlive, started, startedOld } from './look-at.ts';
import { HostedTidings, serveOverHttp, tidingsCommand } from './hosted-tidings.ts';
import { TidingsProcess, tidings } from './tidings-process.ts';

describe('tidings list', () => {
  test('shows a table of the resources of a started server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'a.txt'), 'one');
    await writeFile(join(folder, '日本語.md'), 'two');
    const { code, stdout, stderr } = await tidings(['list', ...started('files', '--folder', folder)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [heading = '', first = '', second = ''] = stdout.split('\n');
    expect(heading).toMatch(/^URI +NAME +TYPE +DESCRIPTION$/);
    expect(first).toMatch(/^files:\/\/\/a\.txt +a\.txt +text\/plain/);
    expect(first.indexOf('text/plain')).toBe(heading.indexOf('TYPE'));
    // Three characters that are two columns wide each.
    expect(second.indexOf('text/markdown')).toBe(heading.indexOf('TYPE') - 3);
  });

  test.each([
    ['of our own over HTTP', async () => ['--server', (await serveOverHttp('counter')).url], ['counter://value']],
    ['of the 1.x SDK over HTTP', async () => ['--server', (await serveOld()).url], ['old://number', 'old://second']],
    [
      'of 2024-11-05 over HTTP',
      async () => ['--server', (await serveOld(0, 0, ['--sse'])).url],
      ['old://number', 'old://second'],
    ],
    ['of the 1.x SDK on stdio', () => startedOld(), ['old://number', 'old://second']],
    ['that ends at an unknown question', () => startedOld('--dies'), ['old://number', 'old://second']],
  ] as const)('lists all pages of a server %s', async (_, where, uris) => {
    const { code, stdout, stderr } = await tidingsCommand(['list', '--json', ...(await where())]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { resources }: { resources: { uri: string }[] } = JSON.parse(stdout);
    expect(resources.map(({ uri }) => uri)).toEqual(uris);
  });

  test('lists templates and tools', async () => {
    const templates = await tidingsCommand(['list', '--templates', ...started('clock')]);
    expect(templates.stdout).toMatch(/^TEMPLATE.*\nclock:\/\/now\{\/zone\} /);
    const tools = await tidingsCommand(['list', '--tools', ...started('counter')]);
    expect(tools.stdout).toMatch(/^TOOL.*\nincrement /);
    const none = await tidingsCommand(['list', '--tools', ...started('clock')]);
    expect(none).toEqual({ code: 0, stdout: 'There are no tools.\n', stderr: '' });
  });

  test('stops reading an endless list, and says so', async () => {
    const { code, stdout, stderr } = await tidingsCommand(['list', '--tools', '--json', ...startedOld('--endless')]);
    const { tools, missing }: { tools: unknown[]; missing: string } = JSON.parse(stdout);
    expect(tools).toHaveLength(200);
    expect(missing).toContain('more than 200 pages');
    expect(stderr).toBe(`The list is not complete: ${missing}\n`);
    expect(code).toBe(0);
  });

  test('gives a started server the whole environment', async () => {
    const server = ['--', process.execPath, '-e', 'console.error(process.env.SOME_KEY)'];
    const { stderr } = await tidingsCommand(['list', ...server], { env: { SOME_KEY: 'value of the key' } });
    expect(stderr).toContain('value of the key');
  });

  test('lists the resources of a hub, with its token', async () => {
    const env = { TIDINGS_TOKEN: 'open sesame' };
    const hub = new HostedTidings(['serve', 'counter', '--port', '0', '--json'], { env });
    const { url }: { url: string } = JSON.parse(await hub.line());
    const { origin } = new URL(url);
    expect(await tidingsCommand(['list', '--hub', origin], { env })).toMatchObject({ code: 0, stderr: '' });
    const viaVariable = await tidingsCommand(['list'], { env: { ...env, TIDINGS_HUB: origin } });
    expect(viaVariable.stdout).toContain('counter://value');
    const refused = await tidingsCommand(['list', '--hub', origin]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Set TIDINGS_TOKEN');
    // The hub's token is not sent to other servers.
    const server = await tidingsCommand(['list', '--server', url], { env });
    expect(server.stderr).toContain('or set TIDINGS_SERVER_TOKEN');
    const withOwn = await tidingsCommand(['list', '--server', url], { env: { TIDINGS_SERVER_TOKEN: 'open sesame' } });
    expect(withOwn.code).toBe(0);
  });

  test('lists the servers of a hub with their states', async () => {
    const away = { id: 'away', url: 'http://127.0.0.1:1/mcp', headers: {}, enabled: true, trackResources: true };
    await using upstream = await NotesUpstream.start('modern');
    await using hub = await runningHub({ servers: [upstream.entry('notes'), away] });
    upstream.put('a', 'one');
    await hub.isLive('notes');
    await eventually('it is away', () => hub.status('away')?.state === 'backoff');
    const where = ['list', '--servers', '--hub', hub.url];
    const { code, stdout, stderr } = await tidingsCommand(where);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^SERVER +STATE +RESOURCES +PROTOCOL +TRANSPORT +DETAIL$/m);
    expect(stdout).toMatch(/^notes +live +\d +2026-07-28 +http$/m);
    expect(stdout).toMatch(/^away +away +0 +http +\S.+$/m);
    const { servers }: { servers: { id: string }[] } = JSON.parse((await tidingsCommand([...where, '--json'])).stdout);
    expect(servers.map(({ id }) => id)).toEqual(['notes', 'away']);
    const other = await tidingsCommand(['list', '--servers', ...started('counter')]);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('name it with --hub') });
  });

  test('lists a server that is polled as live', async () => {
    const entry = { id: 'old', command: process.execPath, args: [oldServer, '--unannounced'], env: {} };
    await using hub = await runningHub({ servers: [{ ...entry, enabled: true, trackResources: true }] });
    await eventually('it is polled', () => (hub.status('old')?.polled ?? 0) > 0);
    expect((await tidingsCommand(['list', '--servers', '--hub', hub.url])).stdout).toMatch(/^old +live .+polled/m);
  });

  test('uses colour only on request or on a terminal', async () => {
    const where = ['list', ...started('counter')];
    expect((await tidingsCommand(where)).stdout).not.toContain('\u001B');
    expect((await tidingsCommand(where, { env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001B[1m');
  });
});

describe('a server that cannot be listed', () => {
  const nobody = 'http://127.0.0.1:65123';
  test.each([
    ['no hub', ['--hub', nobody], /No hub answers at .+ECONNREFUSED.+tidings up.+npm start.+--server URL/],
    ['no server', ['--server', `${nobody}/mcp`], /Nothing answers at .+ECONNREFUSED.+check the address/],
    ['no command', ['--', 'no-such-command'], /There is no command "no-such-command"/],
    [
      'a command that fails with several lines',
      ['--', process.execPath, '-e', 'console.error("no luck\\nat all"); process.exit(3)'],
      /ended with code 3. It said: no luck\nIt wrote on stderr:\n {2}no luck\n {2}at all\n$/,
    ],
    [
      'a command that fails',
      ['--', process.execPath, '-e', 'console.error("no luck")'],
      /ended with code 0. It said: no luck$/m,
    ],
  ])('%s: fails with advice', async (_, where, says) => {
    const { code, stdout, stderr } = await tidingsCommand(['list', ...where]);
    expect(stderr).toMatch(says);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test('reports where to look if the address is not an MCP endpoint', async () => {
    const { url } = await serveOverHttp('counter');
    const { code, stderr } = await tidingsCommand(['list', '--server', new URL('/elsewhere', url).href]);
    expect(stderr).toContain('There is no MCP server at');
    expect(code).toBe(1);
  });

  test.each([
    [['list', 'extra'], 'takes no "extra"'],
    [['list', '--'], 'After -- comes the command'],
    [['list', '--hub', 'http://a', '--server', 'http://b'], 'Name one server'],
    [['list', '--server', 'http://b', '--', 'c'], 'Name one server'],
    [['list', '--server', 'ftp://b'], 'An address looks like'],
    [['list', '--tools', '--templates'], 'cannot be used with'],
    [['read'], "missing required argument 'uri'"],
    [['read', 'a://b', 'c://d'], 'Name one URI'],
    [['read', '--', 'a'], 'Name one URI'],
    [['watch', ''], 'An empty pattern'],
  ])('%j is wrong usage', async (args, says) => {
    const { code, stdout, stderr } = await tidingsCommand(args);
    expect(stderr).toContain(says);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('a started server', () => {
  // A server that starts another process, as npx does, reports both process ids, and never answers.
  const script = `
    const { spawn } = require('node:child_process');
    const inner = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)']);
    require('node:fs').writeFileSync(process.argv[1], process.pid + ' ' + inner.pid);
    setInterval(() => {}, 1000);`;

  test.each(['SIGINT', 'SIGTERM'] as const)('ends on %s, with the processes that it started', async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'pids');
    const command = new TidingsProcess(['list', '--', process.execPath, '-e', script, file]);
    const { readFile } = await import('node:fs/promises');
    const pids = await eventually('both to run', async () => {
      const found = (await readFile(file, 'utf8').catch(() => '')).split(' ').map(Number);
      return found.length === 2 && found;
    });
    const { code, stderr } = await command.end(signal);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: Interrupted.\n' });
    await eventually('the end of both', () => !pids.some(isAlive));
  });
});
