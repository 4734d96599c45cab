// Nodes and leases as rows of PostgreSQL: which node may take a lease, and which statements wait for others.
import { eventually } from '@tidings/live/testing';
import { openStore } from '@tidings/store';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ClusterTables } from '../../packages/track/src/cluster/cluster-schema.ts';
import { type Claim, PostgresLeaseTable, claimsIn } from '../../packages/track/src/cluster/lease-table.ts';
import { migrations } from '../../packages/track/src/journal/archive-schema.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

type Store = Awaited<ReturnType<typeof openStore<ClusterTables>>>;

interface Node {
  id: string;
  url: string;
}

const one: Node = { id: 'one', url: 'http://one' };
const two: Node = { id: 'two', url: 'http://two' };
/** The number of the lease, unless another node holds it. */
const takeOne = async (table: PostgresLeaseTable, node: Node, name: string) =>
  (await table.take(node, [name])).get(name);
const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

describeWith(postgresNeed, 'leases in PostgreSQL', () => {
  let store: Store;
  let table: PostgresLeaseTable;
  /** The table of another process, because a store refuses concurrent writes of its own. */
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
    for (const node of [one, two]) await table.renew(node);
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
  /** Long enough for any machine. */
  const live = ({ id }: Node) => endsIn(600_000, id);
  /** The node's row has expired. */
  const expire = ({ id }: Node) => endsIn(-1000, id);

  beforeEach(async () => {
    for (const node of [one, two]) await live(node);
  });

  it('are held by one live node, and get a higher number with each holder', async () => {
    expect(await takeOne(table, one, 'a')).toBe(1);
    expect(await takeOne(table, two, 'a')).toBeUndefined();
    await table.release(one, ['a']);
    expect(await takeOne(table, two, 'a')).toBe(2);
    await expire(two);
    expect((await table.renew(one)).leases).toEqual([]);
    await live(one);
    expect(await takeOne(table, one, 'a')).toBe(3);
    const { nodes, leases } = await table.renew(two);
    expect(leases).toEqual([{ name: 'a', node: 'one', fence: 3, detail: undefined }]);
    expect(nodes.map(({ id }) => id)).toEqual(['one', 'two']);
  });

  it('are free at once when a node is started again at the address of their holder', async () => {
    const [before, again] = ['first', 'second'].map((run) => ({ id: `machine-${run}`, url: 'http://127.0.0.1:7411' }));
    const elsewhere = { id: 'other-machine-first', url: 'http://127.0.0.1:7411' };
    const beside = { id: 'machine-third', url: 'http://127.0.0.1:7412' };
    if (!before || !again) throw new Error('There are two.');
    for (const node of [before, elsewhere, beside]) {
      await table.renew(node);
      await live(node);
      await takeOne(table, node, node.id);
    }
    const { nodes, leases } = await table.renew(again);
    expect(nodes.map(({ id }) => id)).toEqual(expect.arrayContaining([again.id, elsewhere.id, beside.id]));
    expect(nodes.map(({ id }) => id)).not.toContain(before.id);
    expect(leases.map(({ name }) => name)).not.toContain(before.id);
    expect(await takeOne(table, again, before.id)).toBe(2);
    for (const { id } of [elsewhere, beside]) expect(await takeOne(table, again, id)).toBeUndefined();
    for (const node of [again, elsewhere, beside]) await table.release(node);
  });

  it('have the notes of their holder, and none of an earlier one', async () => {
    await takeOne(table, one, 'b');
    await table.describe(one, new Map([['b', 'live']]));
    expect((await table.renew(one)).leases).toContainEqual({ name: 'b', node: 'one', fence: 1, detail: 'live' });
    await table.release(one, ['b']);
    await takeOne(table, two, 'b');
    await live(two);
    expect((await table.renew(one)).leases).toContainEqual({
      name: 'b',
      node: 'two',
      fence: 2,
      detail: undefined,
    });
  });

  it('can be renewed while their holder writes', async () => {
    const claim = { name: 'c', node: 'one', fence: (await takeOne(table, one, 'c')) ?? 0 };
    await store.write(async ({ db }) => {
      expect((await claimsIn(db, [claim]))(claim)).toBe(true);
      await otherTable.renew(one);
      await otherTable.describe(one, new Map([['c', 'renewed']]));
    });
  });

  it('can be taken only after a write of their holder has ended', async () => {
    const claim = { name: 'e', node: 'one', fence: (await takeOne(table, one, 'e')) ?? 0 };
    await expire(one);
    const order: string[] = [];
    let taking: Promise<number | undefined> | undefined;
    await store.write(async ({ db }) => {
      expect((await claimsIn(db, [claim]))(claim)).toBe(true);
      taking = takeOne(otherTable, two, 'e').finally(() => order.push('taken'));
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
      const fences = await Promise.all([takeOne(table, one, `d${n}`), takeOne(otherTable, two, `d${n}`)]);
      expect(fences.filter((fence) => fence !== undefined)).toHaveLength(1);
    }
  });

  it('are taken many at once, except those of a live node', async () => {
    await takeOne(table, two, 'f2');
    await takeOne(table, one, 'f3');
    await table.release(one, ['f3']);
    const taken = await table.take(one, ['f3', 'f2', 'f1']);
    expect([...taken]).toEqual([
      ['f1', 1],
      ['f3', 2],
    ]);
  });

  it('keep their number when their holder takes them again with an outdated view', async () => {
    expect(await takeOne(table, one, 'g')).toBe(1);
    expect(await takeOne(table, one, 'g')).toBe(1);
  });

  it('keep the notes of their holder when another node writes later', async () => {
    await takeOne(table, two, 'h');
    await table.describe(two, new Map([['h', 'of two']]));
    await table.describe(one, new Map([['h', 'of one']]));
    expect((await table.renew(one)).leases).toContainEqual({ name: 'h', node: 'two', fence: 1, detail: 'of two' });
  });

  it('are taken without a deadlock from a node that writes under several of them', async () => {
    const claims: Claim[] = [];
    for (const name of ['i2', 'i1']) claims.push({ name, node: 'one', fence: (await takeOne(table, one, name)) ?? 0 });
    await expire(one);
    const areWaiting = (count: number) =>
      eventually(`${count} to wait`, async () => (await beside.query(waiting)).rows.length === count);
    await beside.query("begin; select from tidings_tracker.lease where name = 'i1' for update");
    const taking = otherTable.take(two, ['i1', 'i2']);
    await areWaiting(1);
    const writing = store.db.transaction().execute(async (db) => {
      const isHeld = await claimsIn(db, claims);
      return claims.map((claim) => isHeld(claim));
    });
    await areWaiting(2);
    await beside.query('rollback');
    expect([...(await taking).keys()]).toEqual(['i1', 'i2']);
    expect(await writing).toEqual([false, false]);
  });
});
