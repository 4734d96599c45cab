// The audit log on PostgreSQL.
import { FakeClock, eventually } from '@tidings/live/testing';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openAuditLog, openAuditTrail } from '../../packages/hub/src/audit/open-audit.ts';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { FaultyProxy } from '../support/network/faulty-proxy.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { ask, initialize, post, rpcRequest } from '../support/wire/raw-http.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { auditCases } from './audit-cases.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { runningHub } from './running-hub.ts';

describeWith(postgresNeed, 'an audit log on PostgreSQL', () => {
  for (const { name, run } of auditCases) it(name, async () => run(await freshDatabase()));

  it('has every record once, also if older ones cannot be removed', async () => {
    const place = await freshDatabase();
    const [clock, warnings]: [FakeClock, string[]] = [new FakeClock(), []];
    const log = { warn: (_: object, text: string) => void warnings.push(text), error: () => undefined };
    const settings = () => ({ megabytes: 1, files: 1, rows: 2, arguments: false });
    const audit = await openAuditLog({ place, settings, clock, log });
    const client = new pg.Client({ connectionString: place });
    await client.connect();
    await client.query(`create function tidings_audit.refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refuse before delete on tidings_audit.record execute function tidings_audit.refuse()`);
    await client.end();
    for (const uri of ['a', 'b', 'c', 'd']) audit.record({ who: 'x', method: 'resources/read', uri, outcome: 'ok' });
    await audit.flush();
    clock.advance(60_000);
    await audit.flush();
    const trail = await openAuditTrail({ place, clock, log });
    expect((await trail.read({ limit: 100 })).map(({ uri }) => uri)).toEqual(['a', 'b', 'c', 'd']);
    // On the same clock, the feed of changes may report that a poll took a minute.
    expect(warnings.filter((text) => text.includes('could not be removed'))).toHaveLength(1);
    await trail.close();
    await audit.close();
  });

  it('is written by a hub, and shown while it runs', async () => {
    const place = await freshDatabase();
    await using hub = await runningHub({ place });
    await hub.get('/api/servers');
    // A request is recorded when its response has ended in the hub, which its client may see earlier.
    const line = await eventually('the record', async () => {
      await hub.hub.audit.flush();
      const { stdout } = await tidingsCommand(['audit', '--data', place, '--json']);
      return stdout === '' ? undefined : stdout;
    });
    expect(JSON.parse(line)).toMatchObject({ who: 'everybody', method: 'GET /api/servers', outcome: 'ok' });
  });

  it('records every request, and no request waits for an unavailable database', async () => {
    const database = await freshDatabase();
    await using proxy = await FaultyProxy.open(database);
    await using notes = await NotesUpstream.start('modern');
    notes.put('a', 'first');
    await using hub = await runningHub({ place: proxy.url, servers: [notes.entry('notes', false)] });
    await hub.isLive('notes');
    const odd = ['\u0000', `\ud800${'x'.repeat(100_000)}`, "'; drop table record; --", '\u001b[2J'];
    for (const text of odd) {
      const { headers, body } = rpcRequest('legacy', 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: text.slice(0, 1000), version: text.slice(0, 1000) },
      });
      const { headers: answered } = await post(`${hub.url}/mcp`, body, headers);
      const session = { 'mcp-session-id': String(answered['mcp-session-id']) };
      await ask(`${hub.url}/mcp`, 'legacy', 'resources/read', { uri: `note://${text}` }, session);
      await ask(`${hub.url}/mcp`, 'legacy', 'tools/call', { name: text, arguments: { [text]: text } }, session);
    }
    await hub.hub.audit.flush();
    const shown = async () => {
      const { stdout } = await tidingsCommand(['audit', '--data', database, '--json', '--limit', '10000']);
      return stdout.split('\n').filter(Boolean);
    };
    const before = await shown();
    expect(before.filter((line) => line.includes('tools/call'))).toHaveLength(odd.length);

    proxy.affect('stall');
    proxy.affectNew('stall');
    const session = await initialize(`${hub.url}/mcp`);
    for (let n = 0; n < 300; n += 1) {
      expect((await hub.get('/resources/note%3A%2F%2Fa')).status).toBe(200);
      if (n % 10 > 0) continue;
      const read = await ask(`${hub.url}/mcp`, 'legacy', 'resources/read', { uri: 'note://a' }, session);
      expect(read.message.result).toBeDefined();
    }
    proxy.mend();
    proxy.cut();
    await eventually('all records', async () => {
      const lines = (await shown()).slice(before.length);
      return lines.filter((line) => line.includes('GET /resources')).length >= 300;
    });
    const lines = await shown();
    expect(lines.filter((line) => line.includes('GET /resources'))).toHaveLength(300);
  });
});
