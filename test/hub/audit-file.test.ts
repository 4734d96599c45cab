// The audit log in a data folder.
import { appendFile, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock, eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAuditLog, openAuditTrail } from '../../packages/hub/src/audit/open-audit.ts';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { mountNeed, smallDisk } from '../store/small-disk.ts';
import { describeWith } from '../support/run/needs.ts';
import { ask } from '../support/wire/raw-http.ts';
import { auditCases } from './audit-cases.ts';

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-audit-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

const log = { warn: () => undefined, error: () => undefined };

describeWith(mountNeed, 'an audit log on a disk that is full', () => {
  it('an audit log on a full disk keeps whole lines, reports the problem, and continues when there is space', async () => {
    const place = smallDisk(1);
    const ballast = join(place, 'ballast');
    await writeFile(ballast, Buffer.alloc(900 * 1024));
    const said: string[] = [];
    const note = (_: object, message: string) => said.push(message);
    const clock = new FakeClock(Date.parse('2026-11-16T08:00:00Z'));
    const audit = await openAuditLog({ place, settings: () => undefined, clock, log: { warn: note, error: note } });
    for (let index = 0; index < 5000; index += 1) {
      audit.record({ who: 'a', method: 'resources/read', uri: `note://${index}`, outcome: 'ok' });
    }
    await audit.flush();
    expect(said).toEqual(['The audit log could not be written; trying again.']);
    const text = async () => {
      const names = await readdir(join(place, 'audit'));
      return (await Promise.all(names.map((name) => readFile(join(place, 'audit', name), 'utf8')))).join('');
    };
    const whole = await text();
    for (const line of whole.split('\n').filter(Boolean)) expect(JSON.parse(line)).toMatchObject({ who: 'a' });
    expect(whole === '' || whole.endsWith('\n')).toBe(true);
    await rm(ballast);
    await audit.flush();
    expect(said.at(-1)).toBe('The audit log can be written again.');
    await audit.close();
    expect((await text()).split('\n').filter(Boolean)).toHaveLength(5000);
  });
});

describe('an audit log in a data folder', () => {
  for (const { name, run } of auditCases) it(name, async () => run(await freshFolder()));

  it('is rotated by size, limited in files, and readable by its owner only', async () => {
    const place = await freshFolder();
    const settings = () => ({ arguments: false, megabytes: 0.01, files: 4, rows: 1000 });
    const clock = new FakeClock(Date.parse('2026-11-16T08:00:00Z'));
    const audit = await openAuditLog({ place, settings, clock, log });
    for (let index = 0; index < 1000; index += 1) {
      audit.record({ who: 'a', method: 'resources/read', uri: `note://${index}`, outcome: 'ok' });
      if (index % 10 === 0) await audit.flush();
      clock.advance(10);
    }
    await audit.close();
    const names = await readdir(join(place, 'audit'));
    expect(names).toHaveLength(4);
    for (const name of names) {
      const { size, mode } = await stat(join(place, 'audit', name));
      expect(size).toBeLessThanOrEqual(10_000);
      expect(mode & 0o777).toBe(0o600);
    }
    expect((await stat(join(place, 'audit'))).mode & 0o777).toBe(0o700);
  });

  it('is read past an incomplete line', async () => {
    const place = await freshFolder();
    const clock = new FakeClock(Date.parse('2026-11-16T08:00:00Z'));
    const audit = await openAuditLog({ place, settings: () => undefined, clock, log });
    audit.record({ who: 'a', method: 'm', outcome: 'ok' });
    await audit.close();
    const [name = ''] = await readdir(join(place, 'audit'));
    await appendFile(join(place, 'audit', name), '{"time":"2026-');
    const trail = await openAuditTrail({ place, clock, log });
    expect(await trail.read({ limit: 10 })).toHaveLength(1);
  });

  it('has complete lines after the hub is killed under load', async () => {
    const data = await freshFolder();
    const hub = new TidingsProcess(['up', '--port', '0', '--data', data, '--json']);
    const { url }: { url: string } = JSON.parse(await hub.line());
    const lines = async () => {
      const names = await readdir(join(data, 'audit')).catch(() => []);
      const texts = await Promise.all(names.map((name) => readFile(join(data, 'audit', name), 'utf8')));
      return texts.join('');
    };
    const over = new AbortController();
    const load = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted)
        await ask(`${url}/mcp`, 'modern', 'resources/read', { uri: 'cron://examples' }).catch(() => undefined);
    });
    await eventually('some lines', async () => (await lines()).split('\n').length > 50);
    await hub.end('SIGKILL');
    over.abort();
    await Promise.all(load);
    const text = await lines();
    expect(text.endsWith('\n')).toBe(true);
    const records = text.trimEnd().split('\n');
    for (const line of records) expect(JSON.parse(line)).toMatchObject({ method: expect.any(String) });
    const shown = await tidingsCommand(['audit', '--data', data, '--uri', 'cron://*', '--limit', '100000', '--json']);
    expect(shown.stdout.trimEnd().split('\n')).toHaveLength(
      records.filter((line) => line.includes('cron://examples')).length,
    );
  });
});
