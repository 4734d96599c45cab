// Nodes and leases as rows of PostgreSQL: who may take which, and what waits for what.
import { eventually } from '@tidings/live/testing';
import { openStore } from '@tidings/store';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ClusterTables } from '../../packages/track/src/cluster/cluster-schema.ts';
import { PostgresLeaseTable, claimsIn } from '../../packages/track/src/cluster/lease-table.ts';
import { migrations } from '../../packages/track/src/journal/archive-schema.ts';
import { describeWith } from '../support/needs.ts';
import { postgresNeed } from '../support/postgres.ts';
import { freshDatabase } from '../support/shared-postgres.ts';

type Store = Awaited<ReturnType<typeof openStore<ClusterTables>>>;

interface Node {
  id: string;
  url: string;
}

const one: Node = { id: 'one', url: 'http://one' };
const two: Node = { id: 'two', url: 'http://two' };
const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const nothing = new Map<string, string>();

describeWith(postgresNeed, 'leases in PostgreSQL', () => {
  let store: Store;
  let table: PostgresLeaseTable;
  /** As another process has it: a store refuses writes inside its own. */
  let otherStore: Store;
  let otherTable: PostgresLeaseTable;
  let beside: Client;

  beforeAll(async () => {
    const place = await freshDatabase();
    beside = new Client(place);
    await beside.connect();
    store = await openStore<ClusterTables>(place, { name: 'tracker', migrations });
    table = new PostgresLeaseTable(store);
    otherStore = await openStore<ClusterTables>(place, { name: 'tracker', migrations });
    otherTable = new PostgresLeaseTable(otherStore);
    for (const node of [one, two]) await table.renew(node, nothing);
  });
  afterAll(async () => {
    await beside.end();
    await store.close();
    await otherStore.close();
  });

  const endsIn = (ms: number, ...ids: string[]) =>
    store.write(({ db }) =>
      db
        .updateTable('node')
        .set({ ends: new Date(Date.now() + ms) })
        .where('id', 'in', ids)
        .execute(),
    );
  /** However slow the machine is. */
  const live = ({ id }: Node) => endsIn(600_000, id);
  /** It was not heard from for too long. */
  const expire = ({ id }: Node) => endsIn(-1000, id);

  beforeEach(async () => {
    for (const node of [one, two]) await live(node);
  });

  it('are held by one live node, and have a higher number with each holder', async () => {
    expect(await table.take(one, 'a')).toBe(1);
    expect(await table.take(two, 'a')).toBeUndefined();
    await table.release(one, ['a']);
    expect(await table.take(two, 'a')).toBe(2);
    await expire(two);
    expect((await table.renew(one, nothing)).leases).toEqual([]);
    await live(one);
    expect(await table.take(one, 'a')).toBe(3);
    const { nodes, leases } = await table.renew(two, nothing);
    expect(leases).toEqual([{ name: 'a', node: 'one', fence: 3, detail: undefined }]);
    expect(nodes.map(({ id }) => id)).toEqual(['one', 'two']);
  });

  it('are free at once when a node is started again where their holder was', async () => {
    const [before, again] = ['first', 'second'].map((run) => ({ id: `machine-${run}`, url: 'http://127.0.0.1:7411' }));
    const elsewhere = { id: 'other-machine-first', url: 'http://127.0.0.1:7411' };
    const beside = { id: 'machine-third', url: 'http://127.0.0.1:7412' };
    if (!before || !again) throw new Error('There are two.');
    for (const node of [before, elsewhere, beside]) {
      await table.renew(node, nothing);
      await live(node);
      await table.take(node, node.id);
    }
    const { nodes, leases } = await table.renew(again, nothing);
    expect(nodes.map(({ id }) => id)).toEqual(expect.arrayContaining([again.id, elsewhere.id, beside.id]));
    expect(nodes.map(({ id }) => id)).not.toContain(before.id);
    expect(leases.map(({ name }) => name)).not.toContain(before.id);
    expect(await table.take(again, before.id)).toBe(2);
    for (const { id } of [elsewhere, beside]) expect(await table.take(again, id)).toBeUndefined();
    for (const node of [again, elsewhere, beside]) await table.release(node);
  });

  it('show what their holder says of them, and nothing that an earlier one said', async () => {
    await table.take(one, 'b');
    const said = await table.renew(one, new Map([['b', 'live']]));
    expect(said.leases).toContainEqual({ name: 'b', node: 'one', fence: 1, detail: 'live' });
    await table.release(one, ['b']);
    await table.take(two, 'b');
    await live(two);
    expect((await table.renew(one, nothing)).leases).toContainEqual({
      name: 'b',
      node: 'two',
      fence: 2,
      detail: undefined,
    });
  });

  it('are renewed while their holder writes', async () => {
    const claim = { name: 'c', node: 'one', fence: (await table.take(one, 'c')) ?? 0 };
    await store.write(async ({ db }) => {
      expect((await claimsIn(db, [claim]))(claim)).toBe(true);
      await otherTable.renew(one, new Map([['c', 'renewed']]));
    });
  });

  it('are taken only when a write of their holder has ended', async () => {
    const claim = { name: 'e', node: 'one', fence: (await table.take(one, 'e')) ?? 0 };
    await expire(one);
    const order: string[] = [];
    let taking: Promise<number | undefined> | undefined;
    await store.write(async ({ db }) => {
      expect((await claimsIn(db, [claim]))(claim)).toBe(true);
      taking = otherTable.take(two, 'e').finally(() => order.push('taken'));
      await eventually('it to wait for this write', async () => {
        const { rows } = await beside.query(waiting);
        return rows.length > 0;
      });
      order.push('written');
    });
    expect(await taking).toBe(claim.fence + 1);
    expect(order).toEqual(['written', 'taken']);
    await store.write(async ({ db }) => expect((await claimsIn(db, [claim]))(claim)).toBe(false));
  });

  it('are taken by one of two nodes that try at the same time', async () => {
    for (let n = 0; n < 20; n += 1) {
      const fences = await Promise.all([table.take(one, `d${n}`), table.take(two, `d${n}`)]);
      expect(fences.filter((fence) => fence !== undefined)).toHaveLength(1);
    }
  });
});
