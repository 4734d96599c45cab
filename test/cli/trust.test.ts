// `tidings trust` with a hub in a process of its own and a pinned server behind it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { serversSchema } from '../support/wire/strict-answers.ts';
import { DefinedServer } from '../support/defined-server.ts';
import { HostedTidings, tidingsCommand } from './hosted-tidings.ts';
import { tidings } from './tidings-process.ts';

const doneSchema = z.object({
  server: z.string(),
  agreed: z.array(z.object({ kind: z.string(), name: z.string(), changes: z.array(z.string()) })),
  held: z.number(),
});

async function hubWith(server: DefinedServer, env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-trust-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const config = join(folder, 'servers.json');
  const tokens = Object.keys(env).map((name) => (name === 'PART' ? { env: name, allow: ['x://**'] } : { env: name }));
  await writeFile(config, JSON.stringify({ servers: [server.entry('calc', { pin: true })], tokens }));
  const args = ['up', '--port', '0', '--data', join(folder, 'data'), '--config', config, '--json'];
  const hub = new HostedTidings(args, { env });
  const { url }: { url: string } = JSON.parse(await hub.line());
  const held = async () => {
    const headers = env['ALL'] === undefined ? {} : { Authorization: `Bearer ${env['ALL']}` };
    const answer = await fetch(`${url}/api/servers`, { headers });
    return serversSchema.parse(await answer.json()).servers[0]?.held;
  };
  // The definitions of the first list are accepted; only later changes are held.
  await eventually('the tools', async () => (await listed(url, env['ALL'])).includes('calc_add'), 30_000);
  return { hub, url, held };
}

async function listed(url: string, token?: string): Promise<string> {
  const { stdout } = await tidingsCommand(
    ['list', '--tools', '--hub', url],
    token === undefined ? {} : { env: { TIDINGS_TOKEN: token } },
  );
  return stdout;
}

describe('tidings trust', () => {
  it('shows the changes of a pinned server and accepts them; then the hub offers them', async () => {
    await using server = await DefinedServer.start({ tools: { add: 'Adds.', sub: 'Subtracts.' } });
    const { hub, url, held } = await hubWith(server);
    const on = ['--hub', url];
    expect(await tidings(['trust', 'calc', ...on])).toMatchObject({
      code: 0,
      stdout: 'No definition of calc is held back.\n',
    });
    server.define({ tools: { add: 'Adds\u001b[2J more.', sub: 'Subtracts more.' } });
    await eventually('both to be held', async () => (await held()) === 2, 30_000);
    const warning = 'A definition of a pinned server changed and is held back.';
    await eventually('the warning', () => hub.stderr.includes(warning));
    expect(await listed(url)).not.toContain('calc_add');

    const looked = await tidingsCommand(['trust', 'calc', '--dry-run', ...on]);
    expect(looked).toMatchObject({ code: 0, stderr: '' });
    expect(looked.stdout).toContain('2 held back of calc:');
    expect(looked.stdout).toContain('tool "add": description\n');
    expect(looked.stdout).toContain('-  "description": "Adds.",\n+  "description": "Adds\\u001b[2J more.",');
    expect(looked.stdout).not.toContain('\u001b');
    expect(await held()).toBe(2);

    const one = await tidingsCommand(['trust', 'calc', '--tool', 'sub', '--json', ...on]);
    expect(doneSchema.parse(JSON.parse(one.stdout))).toEqual({
      server: 'calc',
      agreed: [{ kind: 'tool', name: 'sub', changes: ['description'] }],
      held: 1,
    });
    const rest = await tidingsCommand(['trust', 'calc', ...on]);
    expect(rest).toMatchObject({ code: 0 });
    expect(rest.stdout).toMatch(/Agreed to 1: offered from now on\.\n$/);
    expect(await held()).toBe(0);
    expect(await listed(url)).toMatch(/calc_sub[^]*calc_add/);
  }, 120_000);

  it('explains each failure: no hub, no such server, nothing to accept, a limited token', async () => {
    await using server = await DefinedServer.start({ tools: { add: 'Adds.' } });
    const { url } = await hubWith(server, { ALL: 'all', PART: 'part' });
    const as = (token: string) => ({ env: { TIDINGS_TOKEN: token } });
    const away = await tidingsCommand(['trust', 'calc', '--hub', 'http://127.0.0.1:1']);
    expect(away).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('No hub answers at http://127.0.0.1:1 (bad port)'),
    });
    expect(await tidingsCommand(['trust', 'calc', '--hub', url])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('asks for a token'),
    });
    expect(await tidingsCommand(['trust', 'calc', '--hub', url], as('part'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('this needs an unlimited one'),
    });
    expect(await tidingsCommand(['trust', 'none', '--hub', url], as('all'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no server "none"'),
    });
    expect(await tidingsCommand(['trust', 'calc', '--tool', 'none', '--hub', url], as('all'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No such definition of this server is held back.'),
    });
    expect((await tidingsCommand(['trust'])).code).toBe(2);
    const help = await tidingsCommand(['trust', '--help']);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--tool <name>') });
  }, 120_000);
});
