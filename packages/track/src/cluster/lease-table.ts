// The rows of nodes and leases in PostgreSQL. Times are the database's, so the clocks of nodes need not agree.
import type { Store, Writing } from '@tidings/store';
import { sql } from 'kysely';
import { z } from 'zod';
import type { ClusterTables } from './cluster-schema.ts';

/** A lease with the fence number of one holder. Every write of that holder carries it. */
export interface Claim {
  readonly name: string;
  readonly node: string;
  readonly fence: number;
}

/** A lease that a node holds. */
interface LeaseRow extends Claim {
  /** The holder's notes about the lease. */
  readonly detail: string | undefined;
}

export interface NodeRow {
  /** The name of the machine, a hyphen, and a part that is unique for each run. */
  readonly id: string;
  readonly url: string;
}

export interface ClusterView {
  readonly nodes: readonly NodeRow[];
  /** Whether no other node was live for a while. A node that is only late with its renewal may return at any moment. */
  readonly isAlone: boolean;
  readonly leases: readonly LeaseRow[];
}

/** The port of the table of nodes and leases. */
export interface LeaseTable {
  /** Renews this node's row and thereby all its leases. Returns the live nodes. */
  renew(node: NodeRow): Promise<ClusterView>;
  /** Stores notes of a node about its leases, by lease name; notes about other leases are ignored. */
  describe(node: NodeRow, details: ReadonlyMap<string, string>): Promise<void>;
  /**
   * Takes the leases in `names` that no node holds. Returns the fence numbers of all leases in `names` that this node
   * then holds.
   */
  take(node: NodeRow, names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Releases leases, so that other nodes can take them at once. Without names, releases all of them and removes the
   * node.
   */
  release(node: NodeRow, names?: readonly string[]): Promise<void>;
}

/** How long a lease is valid after its renewal. */
export const leaseMs = 5000;
/** The topic on which nodes notify each other, on the feed of the store. */
export const clusterTopic = 'tidings:cluster';
const ends = sql<Date>`clock_timestamp() + ${sql.lit(`${leaseMs} milliseconds`)}::interval`;
const isLive = sql<boolean>`ends > clock_timestamp()`;
/** A node that has not renewed its row for this long has ended, or cannot reach the database. */
const lateMs = 60_000;
const isNear = sql<boolean>`ends > clock_timestamp() - ${sql.lit(`${lateMs} milliseconds`)}::interval`;

/** A node, with one of its leases if it has any. */
const rowsSchema = z.array(
  z.object({
    node: z.string(),
    url: z.string(),
    live: z.boolean(),
    name: z.string().nullable(),
    fence: z.int().nullable(),
    detail: z.string().nullable(),
  }),
);

/** Value of `node` for a released lease. */
const noNode = '';

/**
 * A lease is valid as long as its node's row, so a renewal writes one row for any number of leases. It does not touch
 * the rows of leases, because writes of the holder lock those, for long on a busy machine.
 */
export class PostgresLeaseTable implements LeaseTable {
  readonly #store: Store<ClusterTables>;

  constructor(store: Store<ClusterTables>) {
    this.#store = store;
  }

  /**
   * Uses two statements, since a transaction would need seven, and a node that waits for CPU time before each of them
   * must finish before its leases end. A lease that another node took before the first statement committed is missing
   * in the second's result.
   */
  async renew(node: NodeRow): Promise<ClusterView> {
    const { db } = this.#store;
    const own = db.updateTable('node').set({ url: node.url, ends }).where('id', '=', node.id).returning('id');
    if ((await own.executeTakeFirst()) === undefined) await this.#join(node);
    const rows = await db
      .selectFrom('node')
      .leftJoin('lease', 'lease.node', 'node.id')
      .leftJoin('lease_detail', (join) =>
        join.onRef('lease_detail.name', '=', 'lease.name').onRef('lease_detail.node', '=', 'lease.node'),
      )
      .select(['node.id as node', 'url', isLive.as('live'), 'lease.name', 'fence', 'detail'])
      .where(isNear)
      .orderBy('node.id')
      .execute();
    return viewOf(rowsSchema.parse(rows), node.id);
  }

  describe(node: NodeRow, details: ReadonlyMap<string, string>): Promise<void> {
    return this.#store.write(async ({ db, announce }) => {
      for (const [name, detail] of details) {
        await db
          .insertInto('lease_detail')
          .columns(['name', 'node', 'detail'])
          .expression((from) =>
            from
              .selectFrom('lease')
              .select(['name', 'node', sql<string>`${detail}`.as('detail')])
              .where('name', '=', name)
              .where('node', '=', node.id),
          )
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ node: node.id, detail }))
          .execute();
      }
      announce(clusterTopic);
    });
  }

  take({ id: node }: NodeRow, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    // Sorted, so that two nodes that take the same leases wait for each other and do not deadlock.
    const sorted = names.toSorted();
    return this.#store.write(async ({ db, announce }) => {
      const held = await db.selectFrom('lease').selectAll().where('name', 'in', sorted).execute();
      const holders = new Map(held.map((lease) => [lease.name, lease.node]));
      const live = await lockLive(db, new Set(holders.values()), node);
      const own = held.filter((lease) => lease.node === node).map(({ name, fence }) => [name, fence] as const);
      const taken = new Map<string, number>();
      for (const name of sorted) {
        if (holders.get(name) === node) continue;
        const holder = holders.get(name) ?? noNode;
        if (live.has(holder)) continue;
        const row = await db
          .insertInto('lease')
          .values({ name, node, fence: 1 })
          .onConflict((conflict) =>
            conflict
              .column('name')
              .doUpdateSet((lease) => ({ node, fence: sql<number>`${lease.ref('lease.fence')} + 1` }))
              .where('lease.node', '=', holder),
          )
          .returning('fence')
          .executeTakeFirst();
        if (row) taken.set(name, row.fence);
      }
      if (taken.size > 0) announce(clusterTopic);
      return new Map([...own, ...taken]);
    });
  }

  release({ id }: NodeRow, names?: readonly string[]): Promise<void> {
    return this.#store.write(async ({ db, announce }) => {
      // The row stays, so that its fence number keeps growing.
      const own = db.updateTable('lease').set({ node: noNode }).where('node', '=', id);
      await (names === undefined ? own : own.where('name', 'in', names)).execute();
      if (names === undefined) await db.deleteFrom('node').where('id', '=', id).execute();
      announce(clusterTopic);
    });
  }

  #join(node: NodeRow): Promise<void> {
    return this.#store.write(async ({ db, announce }) => {
      await removeEnded(db, node);
      await db
        .insertInto('node')
        .values({ ...node, ends })
        .execute();
      announce(clusterTopic);
    });
  }
}

function viewOf(rows: z.infer<typeof rowsSchema>, own: string): ClusterView {
  const live = rows.filter((row) => row.live);
  const nodes = new Map(live.map(({ node, url }) => [node, { id: node, url }]));
  const leases = live.flatMap(({ name, node, fence, detail }) =>
    name === null || fence === null ? [] : [{ name, node, fence, detail: detail ?? undefined }],
  );
  return { nodes: [...nodes.values()], isAlone: rows.every(({ node }) => node === own), leases };
}

/**
 * The live nodes among `ids`, without this one. Locks their rows, so that a holder's concurrent renewal is either
 * complete or sees the new holder.
 */
async function lockLive(db: Writing<ClusterTables>['db'], ids: ReadonlySet<string>, own: string): Promise<Set<string>> {
  const others = [...ids].filter((id) => id !== own && id !== noNode);
  if (others.length === 0) return new Set();
  const rows = db
    .selectFrom('node')
    .select(['id', isLive.as('live')])
    .where('id', 'in', others)
    .orderBy('id');
  return new Set((await rows.forShare().execute()).flatMap(({ id, live }) => (live ? [id] : [])));
}

/**
 * Removes the rows of nodes that have ended. A node with the same address on the same machine has ended as well, since
 * its port was free: its leases can be taken before they expire.
 */
async function removeEnded(db: Writing<ClusterTables>['db'], { id, url }: NodeRow): Promise<void> {
  const there = await db.selectFrom('node').select('id').where('url', '=', url).where('id', '!=', id).execute();
  const ended = there.map((node) => node.id).filter((other) => machineOf(other) === machineOf(id));
  const isOld = sql<boolean>`ends < clock_timestamp() - interval '1 hour'`;
  await db
    .deleteFrom('node')
    .where((is) => (ended.length > 0 ? is.or([is('id', 'in', ended), isOld]) : isOld))
    .execute();
}

/** The first part of a node's id. */
function machineOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('-')));
}

/**
 * Returns which claims are still valid: once another node took a lease, its fence number differs. The leases of valid
 * claims cannot be taken until the transaction ends.
 */
export async function claimsIn(
  db: Writing<ClusterTables>['db'],
  claims: Iterable<Claim | undefined>,
): Promise<(claim: Claim | undefined) => boolean> {
  const held = new Set<Claim | undefined>([undefined]);
  // In the order in which nodes take leases, so that this write and such a node wait for each other and do not
  // deadlock.
  const sorted = [...new Set(claims)].flatMap((claim) => claim ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const claim of sorted) if (await isHeld(db, claim)) held.add(claim);
  return (claim) => held.has(claim);
}

async function isHeld(db: Writing<ClusterTables>['db'], { name, node, fence }: Claim): Promise<boolean> {
  const own = db.selectFrom('lease').select('name').where('name', '=', name).where('node', '=', node);
  return (await own.where('fence', '=', fence).forShare().executeTakeFirst()) !== undefined;
}
