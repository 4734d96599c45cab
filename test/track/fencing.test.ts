// A node that has lost a server, without having noticed, writes nothing as its owner.
import { openStore } from '@tidings/store';
import { systemClock } from '@tidings/live';
import { expect, it } from 'vitest';
import { type Claim, PostgresLeaseTable } from '../../packages/track/src/cluster/lease-table.ts';
import { type ArchiveTables, migrations } from '../../packages/track/src/journal/archive-schema.ts';
import { Archive } from '../../packages/track/src/journal/archive.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

const log = { warn: () => undefined, error: () => undefined };
const timestamp = '2026-07-28T00:00:00.000Z';
const entry = (cursor: string) => {
  const event = { type: 'gap' as const, serverId: 'notes', timestamp };
  return { cursor, event, json: JSON.stringify(event) };
};

describeWith(postgresNeed, 'a lease that another node took', () => {
  it('discards writes of the old holder of a lease', async () => {
    const store = await openStore<ArchiveTables>(await freshDatabase(), { name: 'tracker', migrations, log });
    const table = new PostgresLeaseTable(store);
    const [old, next] = [
      { id: 'old', url: 'http://old' },
      { id: 'next', url: 'http://next' },
    ];
    const name = 'server:notes';
    const claimOf = async (node: { id: string; url: string }): Promise<Claim> => {
      // A lease is valid as long as its node's row.
      await table.renew(node);
      const fence = (await table.take(node, [name])).get(name);
      return { name, node: node.id, fence: fence ?? 0 };
    };
    const renewals: Promise<unknown>[] = [];
    const archive = new Archive(
      { store, definitions: store },
      {
        clock: systemClock,
        log,
        keep: 100,
        isShared: true,
        fenced: () => void renewals.push(table.renew(old)),
      },
    );
    const oldClaim = await claimOf(old);
    expect(await table.take(next, [name])).toEqual(new Map());
    archive.event(entry('old-1'), oldClaim);
    archive.resource({ server: 'notes', uri: 'a', state: { known: 'one', isListed: true }, claim: oldClaim });
    await archive.flush();
    await table.release(old, [name]);
    const nextClaim = await claimOf(next);
    expect(nextClaim.fence).toBeGreaterThan(oldClaim.fence);
    archive.event(entry('old-2'), oldClaim);
    archive.event(entry('next-1'), nextClaim);
    archive.resource({ server: 'notes', uri: 'a', state: { known: 'two', isListed: true }, claim: oldClaim });
    archive.definitions((definitions) => definitions.sighted({ server: 'notes', claim: oldClaim }, 'tool'));
    await archive.flush();
    const { events, resources, definitions } = await archive.load();
    expect(events.map(({ cursor }) => cursor)).toEqual(['old-1', 'next-1']);
    expect(resources.get('notes')?.get('a')?.known).toBe('one');
    expect(definitions.size).toBe(0);
    // This renewal belongs to the old holder, which writes to the same store.
    expect(renewals).toHaveLength(1);
    await Promise.all(renewals);
    await archive.close();
    await store.close();
  });
});
