// A cluster's nodes and leases without a database, for tests.
import { FakeClock } from '@tidings/live/testing';
import { type ClusterView, type LeaseTable, type NodeRow, leaseMs } from '../cluster/lease-table.ts';
import { Leases } from '../cluster/leases.ts';

const log = { warn: () => undefined, error: () => undefined };

/** The rows as PostgreSQL has them, on a clock of its own. */
export class FakeLeaseTable implements LeaseTable {
  readonly clock = new FakeClock();
  readonly nodes = new Map<string, { url: string; ends: number }>();
  readonly leases = new Map<string, { node: string; fence: number; ends: number; detail: string | undefined }>();
  /** Nodes that cannot reach the table. */
  readonly away = new Set<string>();
  /** If set, `take` waits for it. */
  taking: Promise<void> | undefined;
  /** The node of every call of `take`. */
  readonly takes: string[] = [];

  async renew({ id, url }: NodeRow): Promise<ClusterView> {
    this.#assertReached(id);
    const now = this.clock.now();
    this.nodes.set(id, { url, ends: now + leaseMs });
    for (const lease of this.leases.values()) {
      if (lease.node !== id || lease.ends < 0) continue;
      lease.ends = now + leaseMs;
    }
    return {
      nodes: [...this.nodes].flatMap(([node, each]) => (each.ends > now ? [{ id: node, url: each.url }] : [])),
      isAlone: [...this.nodes].every(([node, each]) => node === id || each.ends < now - 60_000),
      leases: [...this.leases].flatMap(([name, { ends, ...rest }]) => (ends > now ? [{ name, ...rest }] : [])),
    };
  }

  async describe({ id }: NodeRow, details: ReadonlyMap<string, string>): Promise<void> {
    this.#assertReached(id);
    for (const [name, detail] of details) {
      const lease = this.leases.get(name);
      if (lease?.node === id) lease.detail = detail;
    }
  }

  async take({ id }: NodeRow, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    this.#assertReached(id);
    this.takes.push(...names);
    await this.taking;
    const now = this.clock.now();
    const free = names.filter((name) => (this.leases.get(name)?.ends ?? -1) <= now);
    return new Map(
      free.map((name) => {
        const fence = (this.leases.get(name)?.fence ?? 0) + 1;
        this.leases.set(name, { node: id, fence, ends: now + leaseMs, detail: undefined });
        return [name, fence];
      }),
    );
  }

  async release({ id }: NodeRow, names?: readonly string[]): Promise<void> {
    this.#assertReached(id);
    for (const [name, lease] of this.leases) if (lease.node === id && (names?.includes(name) ?? true)) lease.ends = -1;
    if (names === undefined) this.nodes.delete(id);
  }

  #assertReached(id: string): void {
    if (this.away.has(id)) throw new Error('away');
  }
}

/** A node with its own leases and clock. */
export async function leasesOf(table: FakeLeaseTable, id: string, ...wanted: string[]) {
  const clock = new FakeClock();
  const leases = new Leases({ table, id, clock, log });
  await leases.start(`http://${id}`);
  leases.want(...wanted);
  await leases.look();
  return { leases, clock };
}

/** Lets time pass for the database and these nodes, which look once a second. */
export async function pass(
  table: FakeLeaseTable,
  ms: number,
  ...nodes: { leases: Leases; clock: FakeClock }[]
): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    table.clock.advance(500);
    for (const { clock, leases } of nodes) {
      clock.advance(500);
      await leases.look();
    }
  }
}
