// The README's first command on a fresh clone in an empty home, up to a page and to what curl gets.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '@tidings/live/testing';
import { expect, onTestFinished, test } from 'vitest';
import { registryNeed } from '../pack/installation.ts';
import { describeWith } from '../support/needs.ts';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const patienceMs = 300_000;

describeWith(registryNeed, 'a fresh clone in an empty home', () => {
  test(
    'npm ci && npm start, then a page and answers',
    async () => {
      const base = await mkdtemp(join(tmpdir(), 'tidings-clone-'));
      onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 5 }));
      const [clone, home] = [join(base, 'clone'), join(base, 'home')];
      await mkdir(home);
      await run('git', ['clone', '--quiet', '--depth', '1', `file://${workspace}`, clone]);
      // Where packages come from is the machine's business; everything else of its user is not there.
      const { stdout: cache } = await run('npm', ['config', 'get', 'cache'], { cwd: workspace });
      const { stdout: registry } = await run('npm', ['config', 'get', 'registry'], { cwd: workspace });
      const kept = Object.entries(process.env).filter(([name]) => !/^(TIDINGS_|XDG_|npm_)/.test(name));
      const npm = { npm_config_cache: cache.trim(), npm_config_registry: registry.trim() };
      const env = { ...Object.fromEntries(kept), ...npm, HOME: home };
      await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: clone, env });

      // In a group of its own, so that npm and what it started end together.
      const child = spawn('npm', ['start', '--', '--port', '0'], { cwd: clone, env, detached: true });
      const closed = once(child, 'close');
      onTestFinished(async () => {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
        await closed;
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      const url = await eventually(
        'the address',
        () => /^Tidings is up at (\S+)$/m.exec(said)?.[1],
        patienceMs / 2,
      ).catch(() => Promise.reject(new Error(said)));
      expect(said).toContain('Building …');

      const page = await fetch(url);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(await page.text()).toContain('Tidings');
      const recent = await fetch(`${url}/resources/vcon%3A%2F%2Fv1%2Fvcons%2Frecent%2F10`);
      expect(await recent.json()).toMatchObject({ count: 4 });
    },
    patienceMs,
  );
});
