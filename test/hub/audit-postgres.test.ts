// The audit log on PostgreSQL.
import { expect, it } from 'vitest';
import { tidings } from '../cli/tidings-process.ts';
import { describeWith } from '../support/needs.ts';
import { postgresNeed } from '../support/postgres.ts';
import { freshDatabase } from '../support/shared-postgres.ts';
import { auditCases } from './audit-cases.ts';
import { runningHub } from './running-hub.ts';

describeWith(postgresNeed, 'an audit log on PostgreSQL', () => {
  for (const { name, run } of auditCases) it(name, async () => run(await freshDatabase()));

  it('is kept by a hub there, and shown while it runs', async () => {
    const place = await freshDatabase();
    await using hub = await runningHub({ place });
    await hub.get('/api/servers');
    await hub.hub.audit.flush();
    const { stdout } = await tidings(['audit', '--data', place, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ who: 'everybody', method: 'GET /api/servers', outcome: 'ok' });
  });
});
