import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditRecord } from '../../packages/hub/src/audit/audit-log.ts';
import { HostedTidings, tidingsCommand } from './hosted-tidings.ts';
import { tidings } from './tidings-process.ts';

describe('tidings audit', () => {
  it('shows the actions of hub and commands, whether the hub runs or not', async () => {
    const data = await mkdtemp(join(tmpdir(), 'tidings-audit-'));
    onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }));
    const file = join(data, 'servers.json');
    await writeFile(file, '{"servers":[],"tokens":[{"env":"READER"}]}');
    await writeFile(
      join(data, 'x.jsonl'),
      '{"vcon":"0.0.1","uuid":"0192d5c0-1111-8111-8111-111111111111","created_at":"2026-01-01T00:00:00Z","parties":[]}\n',
    );
    await tidingsCommand(['import', '--data', data, join(data, 'x.jsonl')]);
    const hub = new HostedTidings(['up', '--port', '0', '--data', data, '--config', file, '--json'], {
      env: { READER: 'part' },
    });
    const { url }: { url: string } = JSON.parse(await hub.line());
    await fetch(`${url}/api/servers`, { headers: { Authorization: 'Bearer part' } });
    await writeFile(file, '{"servers":');
    const audited = async (...flags: string[]): Promise<AuditRecord[]> => {
      const { stdout } = await tidingsCommand(['audit', '--data', data, '--json', ...flags]);
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    };
    await eventually('the refused edit', async () =>
      (await audited()).some(({ method, outcome }) => method === 'configuration' && outcome === 'refused'),
    );
    await hub.end('SIGTERM');
    expect((await audited()).map(({ method }) => method)).toEqual(['import', 'GET /api/servers', 'configuration']);
    expect(await audited('--who', 'READER')).toMatchObject([{ method: 'GET /api/servers' }]);
    expect(await audited('--since', '1970-01-01', '--limit', '1')).toMatchObject([{ method: 'configuration' }]);
    expect(await audited('--since', '2999-01-01')).toEqual([]);
    const { stdout } = await tidings(['audit', '--data', data]);
    expect(stdout).toMatch(/^TIME +WHO +ADDRESS +METHOD/);
    expect(stdout).toMatch(/cli:\S+ .*import .*1 created/);
    expect((await tidingsCommand(['audit', '--data', data, '--since', 'yesterday'])).code).toBe(2);
  });
});
