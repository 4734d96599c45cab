// docs/deploy/tidings.service, checked by systemd. nginx.conf is tested by test/hub/behind-nginx.test.ts.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { tidingsCommand } from '../cli/hosted-tidings.ts';

const unit = readFileSync(new URL('../../docs/deploy/tidings.service', import.meta.url), 'utf8');
const analyze = '/usr/bin/systemd-analyze';

it('the unit starts the hub with existing flags', async () => {
  const [, flags = ''] = /^ExecStart=\S+ up (.*)$/m.exec(unit) ?? [];
  const help = await tidingsCommand(['up', '--help']);
  const named = [...flags.matchAll(/--[\w-]+/g)].map(([flag]) => flag);
  expect(named).toEqual(['--data', '--config']);
  for (const flag of named) expect(help.stdout).toContain(flag);
});

it.runIf(existsSync(analyze))('the unit is valid for systemd', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-unit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'tidings.service');
  // systemd checks that the program exists, and Tidings is not installed here.
  await writeFile(path, unit.replace('/usr/local/bin/tidings', process.execPath));
  const { stderr } = await promisify(execFile)(analyze, ['verify', '--man=no', path]);
  // systemd also reports other units of the machine.
  expect(stderr.split('\n').filter((line) => line.includes(path))).toEqual([]);
});
