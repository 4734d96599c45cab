// `tidings doctor` with things that are really wrong.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { node } from '../../packages/hub/src/doctor/check-machine.ts';
import { TidingsProcess, tidings } from './tidings-process.ts';

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
  const home = await folder();
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, TIDINGS_OBS_URL: '' };
  const { code, stdout, stderr } = await tidings(['doctor', '--port', '0', '--json', ...args], { env });
  const { findings } = report.parse(JSON.parse(stdout));
  return { code, stderr, about: (subject: string) => findings.filter((each) => each.subject === subject) };
}

describe('tidings doctor', () => {
  test('finds nothing wrong where nothing is, in aligned lines', async () => {
    const home = await folder();
    const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
    const { code, stdout } = await tidings(['doctor', '--port', '0'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok node {8}\d+/m);
    expect(stdout).toMatch(/^ok port {8}/m);
    expect(stdout).not.toContain('\u001B');
  });

  test('finds a data folder that is none', async () => {
    const file = join(await folder(), 'file');
    await writeFile(file, '');
    const { code, stderr, about } = await examine('--data', file);
    expect(code).toBe(1);
    expect(stderr).toContain('One thing is wrong.');
    expect(about('data')).toMatchObject([{ verdict: 'wrong', advice: expect.stringContaining('--data') }]);
  });

  test('finds a port that another program has', async () => {
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
    expect(about('port')).toMatchObject([{ verdict: 'wrong', detail: expect.stringContaining('another program') }]);
  });

  test('tells a hub from another program', async () => {
    const hub = new TidingsProcess(['up', '--port', '0', '--json', '--data', await folder()]);
    const { url }: { url: string } = JSON.parse(await hub.line());
    const { code, about } = await examine('--port', new URL(url).port);
    expect(code).toBe(0);
    expect(about('port')).toMatchObject([{ verdict: 'note', detail: expect.stringContaining('a hub') }]);
  });

  test('finds what is wrong in a configuration: file, entry, field', async () => {
    const file = join(await folder(), 'servers.json');
    await writeFile(file, '{"servers":[{"id":"notes","command":"x","trackResources":"yes"}]}');
    const { code, about } = await examine('--config', file);
    expect(code).toBe(1);
    expect(about('config')).toMatchObject([
      { verdict: 'wrong', detail: `${file}: servers[0] ("notes"): trackResources: must be a boolean.` },
    ]);
  });

  test('finds a server that does not start, with what it wrote on stderr', async () => {
    const file = join(await folder(), 'servers.json');
    const script = 'console.error("no licence key"); process.exit(3)';
    const broken = { id: 'broken', command: process.execPath, args: ['-e', script] };
    const missing = { id: 'missing', command: 'no-such-program-anywhere' };
    await writeFile(file, JSON.stringify({ servers: [broken, missing] }));
    const { code, about } = await examine('--config', file);
    expect(code).toBe(1);
    expect(about('broken')).toMatchObject([{ verdict: 'wrong', advice: expect.stringContaining('no licence key') }]);
    expect(about('missing')).toMatchObject([{ verdict: 'wrong', detail: expect.stringContaining('no such program') }]);
  });

  test('notes that OBS is away, and minds it where its address was given', async () => {
    const env = { TIDINGS_OBS_URL: 'ws://127.0.0.1:9', HOME: await folder() };
    const { code, stdout } = await tidings(['doctor', '--port', '0', '--json', '--data', await folder()], { env });
    expect(code).toBe(1);
    const obs = report.parse(JSON.parse(stdout)).findings.find(({ subject }) => subject === 'obs');
    expect(obs).toMatchObject({ verdict: 'wrong', detail: expect.stringContaining('ws://127.0.0.1:9') });
  });

  test.each([
    ['18.20.0', 'wrong'],
    ['20.18.9', 'wrong'],
    ['20.19.0', 'fine'],
    ['24.1.0', 'fine'],
  ])('of Node %s it says %s', (version, verdict) => {
    expect(node(version).verdict).toBe(verdict);
  });
});
