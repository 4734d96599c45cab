import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveOld } from '../support/wire/old-server.ts';
import { started, startedOld } from './look-at.ts';
import { serveOverHttp, tidingsCommand } from './hosted-tidings.ts';
import { bin, tidings } from './tidings-process.ts';
import { spawnSync } from 'node:child_process';

describe('tidings read', () => {
  test.each([
    ['stdio', () => started('counter')],
    ['HTTP', async () => ['--server', (await serveOverHttp('counter')).url]],
  ] as const)('writes a text as it is, from %s', async (_, where) => {
    const ended = await tidings(['read', 'counter://value', ...(await where())]);
    expect(ended).toEqual({ code: 0, stdout: '{"value":0}', stderr: '' });
  });

  test.each([
    ['stdio', () => startedOld()],
    ['HTTP', async () => ['--server', (await serveOld()).url]],
  ] as const)('and from a server of the 1.x SDK over %s', async (_, where) => {
    const ended = await tidingsCommand(['read', 'old://number', ...(await where())]);
    expect(ended).toEqual({ code: 0, stdout: '{"number":0}', stderr: '' });
  });

  test('prints the whole result with --json', async () => {
    const { stdout } = await tidingsCommand(['read', 'counter://value', '--json', ...started('counter')]);
    const answer = JSON.parse(stdout);
    expect(answer.contents).toEqual([{ uri: 'counter://value', mimeType: 'application/json', text: '{"value":0}' }]);
  });

  test.skipIf(process.platform !== 'linux')('reports a full disk without a stack trace', async () => {
    const [, ...server] = started('counter');
    const full = await open('/dev/full', 'w');
    onTestFinished(() => full.close());
    const { stderr, status } = spawnSync(process.execPath, [bin, 'read', 'counter://value', '--', ...server], {
      stdio: ['ignore', full.fd, 'pipe'],
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({
      stderr: 'error: stdout cannot be written: ENOSPC: no space left on device, write\n',
      status: 1,
    });
  });

  test('writes binary content unchanged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256);
    await writeFile(join(folder, 'x.png'), bytes);
    const [, ...server] = started('files', '--folder', folder);
    const { stdout, status } = spawnSync(process.execPath, [bin, 'read', 'files:///x.png', '--', ...server], {
      maxBuffer: 1_000_000,
    });
    expect(status).toBe(0);
    expect(stdout.equals(await readFile(join(folder, 'x.png')))).toBe(true);
  });

  test('suggests a similar URI', async () => {
    const { code, stdout, stderr } = await tidingsCommand(['read', 'counter://valu', ...started('counter')]);
    expect(stderr).toBe('error: RESOURCE_NOT_FOUND: No such resource.\nDid you mean counter://value?\n');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test('suggests `tidings list` if no URI is similar', async () => {
    const { code, stderr } = await tidingsCommand(['read', 'quite://another/thing', ...started('counter')]);
    expect(stderr).toMatch(/^error: INVALID_URI: .+\n"tidings list" shows/);
    expect(code).toBe(1);
  });

  test('prints the number of an error without a code', async () => {
    const { code, stderr } = await tidingsCommand(['read', 'old://second', ...startedOld()]);
    expect(stderr).toBe('error: -32603: No such thing\n');
    expect(code).toBe(1);
  });
});
