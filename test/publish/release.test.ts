// Published files: the bundles, and a trial release.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connectStdio } from '@tidings/live/testing';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { registryNeed } from '../pack/installation.ts';
import { describeWith } from '../support/run/needs.ts';
import { packedPackages } from '../support/program/packed-packages.ts';
import { sharedService } from '../support/run/shared-services.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const patienceMs = 600_000;

describeWith(registryNeed, 'publishing', () => {
  beforeAll(() => sharedService('publishing'), patienceMs);

  it(
    'raises all versions together and would publish every package',
    async () => {
      // Waits while packing has copied files.
      await packedPackages();
      const note = join(root, '.changeset', `trial-${process.pid}.md`);
      await writeFile(note, '---\n"@tidings/live": minor\n---\n\nA trial.\n');
      onTestFinished(() => unlink(note));
      const { stdout } = await run(process.execPath, ['publish/release.js', '--dry-run'], { cwd: root });
      const [, names = ''] = /Would publish \d+ packages at 0\.2\.0: (.*)/.exec(stdout) ?? [];
      const order = names.split(', ');
      expect(order.toSorted()).toEqual(
        ['bus', 'client', 'examples', 'live', 'obs', 'schedules', 'store', 'track', 'vcon']
          .map((name) => `@tidings/${name}`)
          .concat('tidings'),
      );
      // Each package follows its dependencies.
      expect(order.filter((name) => /live|store|track/.test(name))).toEqual(
        ['live', 'store', 'track'].map((name) => `@tidings/${name}`),
      );
      // The trial has not changed this folder.
      expect(read('packages/live/package.json')).toMatchObject({ version: '0.1.0' });
    },
    patienceMs,
  );

  it(
    'packs bundles that a host can start',
    async () => {
      const { folder: packages } = await packedPackages();
      const options = ['--only', 'tidings-schedules', '--packages', packages];
      await run(process.execPath, ['publish/bundles/build.js', ...options], { cwd: root });
      const bundle = join(root, 'dist/bundles/tidings-schedules.mcpb');
      expect(existsSync(bundle)).toBe(true);
      const folder = await mkdtemp(join(tmpdir(), 'tidings-bundle-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      await run(join(root, 'publish/node_modules/.bin/mcpb'), ['unpack', bundle, folder]);
      // As a host starts it according to the reference, with no settings.
      const manifest: unknown = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      const { getMcpConfigForManifest }: { getMcpConfigForManifest: (options: object) => Promise<unknown> } =
        await import(new URL('publish/node_modules/@anthropic-ai/mcpb/dist/index.js', `file://${root}`).href);
      const home = join(folder, 'home');
      const found = await getMcpConfigForManifest({
        manifest,
        extensionPath: folder,
        systemDirs: { HOME: home },
        userConfig: {},
        pathSeparator: '/',
      });
      const { args, env } = z
        .looseObject({ args: z.array(z.string()), env: z.record(z.string(), z.string()) })
        .parse(found);
      const client = await connectStdio(
        { command: process.execPath, args, env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env } },
        'modern',
      );
      expect(await client.listAll()).toContain('cron://examples');
      await client.close();
      expect(existsSync(join(home, '.local/share/tidings'))).toBe(true);
    },
    patienceMs,
  );

  it(
    'has manifests that are valid for all bundles',
    async () => {
      const { manifests }: { manifests: (version: string) => Map<string, object> } = await import(
        new URL('publish/bundles/manifests.js', `file://${root}`).href
      );
      const all = [...manifests('0.1.0')];
      expect(all.map(([name]) => name)).toEqual(['tidings-obs', 'tidings-schedules', 'tidings-vcon', 'tidings-hub']);
      for (const [name, manifest] of all) {
        const file = join(await mkdtemp(join(tmpdir(), 'tidings-manifest-')), 'manifest.json');
        onTestFinished(() => rm(join(file, '..'), { recursive: true }));
        await writeFile(file, JSON.stringify(manifest));
        const { stdout } = await run(join(root, 'publish/node_modules/.bin/mcpb'), ['validate', file]);
        expect(stdout, name).toContain('passes');
      }
    },
    patienceMs,
  );
});
