// The rows of nodes and leases in PostgreSQL. Times are those of the database, so clocks of nodes need not agree.
import type { Store, Writing } from '@tidings/store';
import { sql } from 'kysely';
import { z } from 'zod';
import type { ClusterTables } from './cluster-schema.ts';

/** A lease under the number that one holder has it with: what every write of that holder carries. */
export interface Claim {
  readonly name: string;
  readonly node: string;
  readonly fence: number;
}

/** A lease that a node holds at the moment. */
interface LeaseRow extends Claim {
  /** What its holder says of it. */
  readonly detail: string | undefined;
}

export interface NodeRow {
  /** The name of the machine, a hyphen, and a part that each run has of its own. */
  readonly id: string;
  readonly url: string;
}

export interface ClusterView {
  readonly nodes: readonly NodeRow[];
  /** Whether no other node has been there for a while. One that is only late may come back at any moment. */
  readonly isAlone: boolean;
  readonly leases: readonly LeaseRow[];
}

/** The port: where nodes and leases are kept. */
export interface LeaseTable {
  /** Renews this node's row and thereby all its leases, and stores their notes. Returns the live nodes. */
  renew(node: NodeRow, details: ReadonlyMap<string, string>): Promise<ClusterView>;
  /** Takes a lease that no node holds. Returns its number; undefined where another node was faster. */
  take(node: NodeRow, name: string): Promise<number | undefined>;
  /** Gives leases back, so that other nodes can take them at once; without names: all, and the node leaves. */
  release(node: NodeRow, names?: readonly string[]): Promise<void>;
}

/** How long a lease is good for after it was renewed. */
export const leaseMs = 5000;
/** The topics on which nodes notify each other, on the feed of the store. */
export const clusterTopic = 'tidings:cluster';
const ends = sql<Date>`clock_timestamp() + ${sql.lit(`${leaseMs} milliseconds`)}::interval`;
const isLive = sql<boolean>`ends > clock_timestamp()`;
/** A node that has not renewed its row for longer has ended, or cannot reach the database. */
const lateMs = 60_000;
const isNear = sql<boolean>`ends > clock_timestamp() - ${sql.lit(`${lateMs} milliseconds`)}::interval`;

const leasesSchema = z.array(
  z.object({
    name: z.string(),
    node: z.string(),
    fence: z.int(),
    detail: z
      .string()
      .nullable()
      .transform((text) => text ?? undefined),
  }),
);

/** In the place of a holder: it was given back. */
const nobody = '';

/**
 * A lease is good for as long as its node is, so renewing is one row however many leases there are, and no row of a
 * lease: those are locked by the writes of their holder, which can take long on a busy machine.
 */
export class PostgresLeaseTable implements LeaseTable {
  readonly #store: Store<ClusterTables>;

  constructor(store: Store<ClusterTables>) {
    this.#store = store;
  }

  renew(node: NodeRow, details: ReadonlyMap<string, string>): Promise<ClusterView> {
    return this.#store.write(async ({ db, announce }) => {
      const known = await db
        .updateTable('node')
        .set({ url: node.url, ends })
        .where('id', '=', node.id)
        .returning('id')
        .executeTakeFirst();
      if (known === undefined) {
        await endPredecessors(db, node);
        await db
          .insertInto('node')
          .values({ ...node, ends })
          .execute();
        announce(clusterTopic);
      }
      for (const [name, detail] of details) {
        const row = { node: node.id, detail };
        await db
          .insertInto('lease_detail')
          .values({ name, ...row })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
          .execute();
        announce(clusterTopic);
      }
      await db
        .deleteFrom('node')
        .where('ends', '<', sql<Date>`clock_timestamp() - interval '1 hour'`)
        .execute();
      const leases = await db
        .selectFrom('lease')
        .innerJoin('node', 'node.id', 'lease.node')
        .leftJoin('lease_detail', (join) =>
          join.onRef('lease_detail.name', '=', 'lease.name').onRef('lease_detail.node', '=', 'lease.node'),
        )
        .select(['lease.name', 'lease.node', 'lease.fence', 'lease_detail.detail'])
        .where(isLive)
        .execute();
      const near = await db
        .selectFrom('node')
        .select(['id', 'url', isLive.as('live')])
        .where(isNear)
        .orderBy('id')
        .execute();
      const nodes = near.flatMap(({ id, url, live }) => (live ? [{ id, url }] : []));
      return { nodes, isAlone: near.every(({ id }) => id === node.id), leases: leasesSchema.parse(leases) };
    });
  }

  take({ id: node }: NodeRow, name: string): Promise<number | undefined> {
    return this.#store.write(async ({ db, announce }) => {
      const before = await db.selectFrom('lease').select('node').where('name', '=', name).executeTakeFirst();
      const holder = before?.node ?? nobody;
      // Locked, so that a holder that renews at this moment has either done so, or sees the new one.
      const its = db.selectFrom('node').select(isLive.as('live')).where('id', '=', holder);
      if (holder !== node && (await its.forShare().executeTakeFirst())?.live) return undefined;
      const taken = await db
        .insertInto('lease')
        .values({ name, node, fence: 1 })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet((row) => ({ node, fence: sql<number>`${row.ref('lease.fence')} + 1` }))
            .where('lease.node', '=', holder),
        )
        .returning('fence')
        .executeTakeFirst();
      if (taken) announce(clusterTopic);
      return taken?.fence;
    });
  }

  release({ id }: NodeRow, names?: readonly string[]): Promise<void> {
    return this.#store.write(async ({ db, announce }) => {
      // The row stays, so that its number goes on growing.
      const own = db.updateTable('lease').set({ node: nobody }).where('node', '=', id);
      await (names === undefined ? own : own.where('name', 'in', names)).execute();
      if (names === undefined) await db.deleteFrom('node').where('id', '=', id).execute();
      announce(clusterTopic);
    });
  }
}

/**
 * A node that had the same address on the same machine has ended: otherwise its port would not have been free. Its
 * leases can be taken at once, instead of when they end.
 */
async function endPredecessors(db: Writing<ClusterTables>['db'], { id, url }: NodeRow): Promise<void> {
  const there = await db.selectFrom('node').select('id').where('url', '=', url).where('id', '!=', id).execute();
  const ended = there.map((node) => node.id).filter((other) => machineOf(other) === machineOf(id));
  if (ended.length > 0) await db.deleteFrom('node').where('id', 'in', ended).execute();
}

/** The id of a node is the name of its machine and something of each run. */
function machineOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('-')));
}

/**
 * Which claims still hold: a lease has another number once another node took it. Until the transaction ends, none of
 * those that hold can be taken.
 */
export async function claimsIn(
  db: Writing<ClusterTables>['db'],
  claims: Iterable<Claim | undefined>,
): Promise<(claim: Claim | undefined) => boolean> {
  const held = new Set<Claim | undefined>([undefined]);
  for (const claim of new Set(claims)) if (claim !== undefined && (await isHeld(db, claim))) held.add(claim);
  return (claim) => held.has(claim);
}

async function isHeld(db: Writing<ClusterTables>['db'], { name, node, fence }: Claim): Promise<boolean> {
  const own = db.selectFrom('lease').select('name').where('name', '=', name).where('node', '=', node);
  return (await own.where('fence', '=', fence).forShare().executeTakeFirst()) !== undefined;
}
