// `tidings doctor` with real faults.
import { statSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { node } from '../../packages/hub/src/doctor/check-machine.ts';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { HostedTidings, tidingsCommand } from './hosted-tidings.ts';
import { type StartOptions, bin, tidings } from './tidings-process.ts';
import { ScriptedIssuer } from '../support/counterpart/scripted-issuer.ts';

const report = z.object({
  findings: z.array(
    z.strictObject({
      verdict: z.enum(['fine', 'note', 'wrong']),
      subject: z.string(),
      detail: z.string(),
      advice: z.string().optional(),
    }),
  ),
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tidings-doctor-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

async function examine(...args: string[]) {
  return examineWith({}, ...args);
}

async function examineWith(options: StartOptions, ...args: string[]) {
  const home = await folder();
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, TIDINGS_OBS_URL: '', ...options.env };
  const needsOwnProcess = options.uid !== undefined || options.nodeOptions !== undefined;
  const run = needsOwnProcess ? tidings : tidingsCommand;
  const { code, stdout, stderr } = await run(['doctor', '--port', '0', '--json', ...args], { ...options, env });
  const { findings } = report.parse(JSON.parse(stdout));
  return { code, stderr, about: (subject: string) => findings.filter((each) => each.subject === subject) };
}

function isForAll(path: string): boolean {
  return (statSync(path).mode & 0o005) === 0o005 && (dirname(path) === path || isForAll(dirname(path)));
}

describe('tidings doctor', () => {
  test('reports a correct setup without problems, in aligned lines', async () => {
    const home = await folder();
    const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
    const { code, stdout } = await tidings(['doctor', '--port', '0'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok node {8}\d+/m);
    expect(stdout).toMatch(/^ok port {8}/m);
    expect(stdout).not.toContain('\u001B');
  });

  test('reports a data folder that is not a folder', async () => {
    const file = join(await folder(), 'file');
    await writeFile(file, '');
    const { code, stderr, about } = await examine('--data', file);
    expect(code).toBe(1);
    expect(stderr).toContain('One problem was found.');
    expect(about('data')).toMatchObject([{ verdict: 'wrong', advice: expect.stringContaining('--data') }]);
  });

  // Root may read everything, and another user may not enter every folder.
  const isRoot = process.getuid?.() === 0;
  test.skipIf(isRoot && !isForAll(bin)).each([
    ['read', 0o300],
    ['written', 0o500],
  ])('reports a data folder that cannot be %s', async (_what, mode) => {
    const place = await folder();
    await chmod(place, mode);
    onTestFinished(() => chmod(place, 0o700));
    const { code, about } = await examineWith(isRoot ? { uid: 65_534 } : {}, '--data', place);
    expect(code).toBe(1);
    expect(about('data')).toEqual([
      {
        verdict: 'wrong',
        subject: 'data',
        detail: `${place} is not readable and writable.`,
        advice: 'Change its permissions, or choose another folder with --data.',
      },
    ]);
  });

  test('reports that OBS refuses the password, without showing it', async () => {
    const obs = new FakeObs({ password: 'the right one' });
    await obs.start();
    onTestFinished(() => obs.kill());
    const env = { TIDINGS_OBS_URL: obs.url, TIDINGS_OBS_PASSWORD: 'the wrong one' };
    const { code, stderr, about } = await examineWith({ env });
    expect(code).toBe(1);
    expect(about('obs')).toMatchObject([
      { verdict: 'wrong', detail: expect.stringMatching(/password.*TIDINGS_OBS_PASSWORD/) },
    ]);
    expect(JSON.stringify(about('obs')) + stderr).not.toMatch(/the (right|wrong) one/);
    const right = await examineWith({ env: { ...env, TIDINGS_OBS_PASSWORD: 'the right one' } });
    expect(right.about('obs')).toMatchObject([{ verdict: 'fine' }]);
  });

  test('notes that search by meaning has no build for this machine', async () => {
    const elsewhere = `data:text/javascript,Object.defineProperty(process,'arch',{value:'mips'})`;
    const { code, about } = await examineWith({ nodeOptions: ['--import', elsewhere] });
    expect(code).toBe(0);
    expect(about('sqlite-vec')).toMatchObject([
      { verdict: 'note', detail: expect.stringContaining('mips'), advice: expect.stringContaining('pgvector') },
    ]);
  });

  test('reports a port that another program uses', async () => {
    const taken = createServer((socket) => void socket.destroy());
    onTestFinished(() => void taken.close());
    const port = await new Promise<string>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' ? String(address?.port) : '');
      });
    });
    const { code, about } = await examine('--port', port);
    expect(code).toBe(1);
    expect(about('port')).toMatchObject([
      {
        verdict: 'wrong',
        detail: `${port} on 127.0.0.1 is used by another program.`,
        advice: expect.stringContaining('--port'),
      },
    ]);
  });

  test('distinguishes a hub from another program', async () => {
    const hub = new HostedTidings(['up', '--port', '0', '--json', '--data', await folder()]);
    const { url }: { url: string } = JSON.parse(await hub.line());
    // doctor gives the hub two seconds to answer, which a busy machine may exceed.
    const { about } = await eventually('a hub that answers in time', async () => {
      const examined = await examine('--port', new URL(url).port);
      return examined.code === 0 && examined;
    });
    expect(about('port')).toMatchObject([{ verdict: 'note', detail: expect.stringContaining('a running hub') }]);
  });

  test.each([
    [
      '{"servers":[{"id":"notes","command":"x","trackResources":"yes"}]}',
      'servers[0] ("notes"): trackResources: must be a boolean.',
    ],
    [
      '{"servers":[],"tokens":[{"env":"NOT_SET"}]}',
      'tokens[0]: env: the environment has no NOT_SET. Set it, or remove this token.',
    ],
  ])('reports the mistake in %s with file, entry and field', async (text, problem) => {
    const file = join(await folder(), 'servers.json');
    await writeFile(file, text);
    const { code, about } = await examine('--config', file);
    expect(code).toBe(1);
    expect(about('config')).toMatchObject([{ verdict: 'wrong', detail: `${file}: ${problem}` }]);
  });

  test('notes which values a server of a host file lacks, and checks the others', async () => {
    const file = join(await folder(), 'mcp.json');
    const counter = { command: process.execPath, args: [bin, 'serve', 'counter'] };
    const servers = { counter, asking: { command: 'x', env: { KEY: '${input:key}' } } };
    await writeFile(file, JSON.stringify({ servers, inputs: [{ id: 'key', description: 'The key' }] }));
    const { about } = await examine('--config', file);
    expect(about('counter')).toMatchObject([{ verdict: 'fine', detail: 'answers (2026-07-28, 1 resource)' }]);
    expect(about('asking')).toMatchObject([
      { verdict: 'note', detail: expect.stringContaining('(The key). Set TIDINGS_INPUT_KEY.') },
    ]);
  });

  test('asks each issuer of access tokens for its keys', async () => {
    await using issuer = await ScriptedIssuer.start();
    await using other = await ScriptedIssuer.start();
    other.answers.set('/.well-known/oauth-authorization-server', { issuer: 'https://id.example.com', jwks_uri: 'x' });
    const file = join(await folder(), 'servers.json');
    const audience = 'https://tidings.example.com/mcp';
    const issuers = [
      { issuer: issuer.issuer, audience },
      { issuer: other.issuer, audience: 'https://tidings.example.com', grants: [{ everything: true }] },
    ];
    await writeFile(file, JSON.stringify({ servers: [], oauth: { issuers } }));
    const { code, about } = await examine('--config', file);
    expect(code).toBe(1);
    expect(about(issuer.issuer)).toMatchObject([
      { verdict: 'fine', detail: 'answers (1 key)' },
      { verdict: 'note', advice: expect.stringContaining('"grants"') },
    ]);
    expect(about(other.issuer)).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining('is that of "https://id.example.com".') },
      { verdict: 'note', detail: expect.stringContaining('/mcp') },
    ]);
  });

  test('reports servers that cannot be used, and what to do about each', async () => {
    const file = join(await folder(), 'servers.json');
    const failing = (script: string) => ({ command: process.execPath, args: ['-e', `${script}; process.exit(3)`] });
    const web = createHttpServer((_, res) => void res.writeHead(404).end('no such page'));
    await new Promise<void>((resolve) => void web.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void web.close());
    const address = web.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const servers = [
      // In colour, as programs write to a terminal.
      { id: 'broken', ...failing('console.error("\\u001b[31mno licence key\\u001b[39m")') },
      { id: 'talkative', ...failing('console.error("one"); console.error("two")') },
      { id: 'missing', command: 'no-such-program-anywhere' },
      { id: 'web', url: `http://127.0.0.1:${port}/` },
    ];
    await writeFile(file, JSON.stringify({ servers }));
    const { code, about } = await examine('--config', file);
    expect(code).toBe(1);
    const run = 'Run its command by hand.';
    expect(about('broken')).toMatchObject([{ verdict: 'wrong', detail: expect.stringContaining('with code 3.') }]);
    expect(JSON.stringify(about('broken')).match(/no licence key/g)).toHaveLength(1);
    expect(about('talkative')).toMatchObject([{ advice: `${run} It wrote: one | two` }]);
    const missing = expect.stringMatching(/no such program .+\.$/);
    expect(about('missing')).toMatchObject([{ detail: missing, advice: run }]);
    expect(about('web')).toMatchObject([
      { detail: 'HTTP 404: no such page', advice: 'Check its address: most are at /mcp.' },
    ]);
    expect(about('obs')).toEqual([]);
  });

  test('reports an unknown built-in server, as the hub does at its start', async () => {
    const file = join(await folder(), 'servers.json');
    await writeFile(file, JSON.stringify({ servers: [{ id: 'talks', builtin: 'vcom' }] }));
    const { code, about } = await examine('--config', file);
    expect(code).toBe(1);
    expect(about('config')).toEqual([
      {
        verdict: 'wrong',
        subject: 'config',
        detail: `${file}: talks: there is no built-in server "vcom". Built in: vcon, schedules, obs.`,
      },
    ]);
  });

  test('notes that a configuration names no servers', async () => {
    const file = join(await folder(), 'servers.json');
    await writeFile(file, JSON.stringify({ hosts: ['tidings.example.com'] }));
    const { code, about } = await examine('--config', file);
    expect(code).toBe(0);
    expect(about('config')).toMatchObject([
      { verdict: 'fine' },
      { verdict: 'note', detail: 'It names no servers.', advice: expect.stringContaining('"builtin": "vcon"') },
    ]);
  });

  test('says why a configuration file cannot be read', async () => {
    const file = join(await folder(), 'none.json');
    const { code, about } = await examine('--config', file);
    expect(code).toBe(1);
    expect(about('config')).toMatchObject([
      { verdict: 'wrong', detail: `${file} cannot be read (ENOENT).`, advice: expect.stringContaining('path') },
    ]);
  });

  test('notes that OBS is not running, and reports a problem if its address was given', async () => {
    const env = { TIDINGS_OBS_URL: 'ws://127.0.0.1:9', HOME: await folder() };
    const { code, stdout } = await tidingsCommand(['doctor', '--port', '0', '--json', '--data', await folder()], {
      env,
    });
    expect(code).toBe(1);
    const obs = report.parse(JSON.parse(stdout)).findings.find(({ subject }) => subject === 'obs');
    expect(obs).toMatchObject({ verdict: 'wrong', detail: expect.stringContaining('ws://127.0.0.1:9') });
  });

  test.each([
    ['18.20.0', 'wrong'],
    ['20.18.9', 'wrong'],
    ['20.19.0', 'fine'],
    ['24.1.0', 'fine'],
  ])('reports Node %s as %s', (version, verdict) => {
    expect(node(version).verdict).toBe(verdict);
  });
});
