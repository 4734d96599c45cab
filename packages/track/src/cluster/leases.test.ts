import { FakeClock, eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { type ClusterView, type LeaseTable, type NodeRow, leaseMs } from './lease-table.ts';
import { Leases } from './leases.ts';

const log = { warn: () => undefined, error: () => undefined };

/** The rows as PostgreSQL has them, on a clock of its own. */
class FakeTable implements LeaseTable {
  readonly clock = new FakeClock();
  readonly nodes = new Map<string, { url: string; ends: number }>();
  readonly leases = new Map<string, { node: string; fence: number; ends: number; detail: string | undefined }>();
  /** Nodes that are cut off. */
  readonly away = new Set<string>();
  /** Leases are taken when this resolves. */
  taking: Promise<void> | undefined;

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

async function node(table: FakeTable, id: string, ...wanted: string[]) {
  const clock = new FakeClock();
  const leases = new Leases({ table, id, clock, log });
  await leases.start(`http://${id}`);
  leases.want(...wanted);
  await leases.look();
  return { leases, clock };
}

/** Time passes for the database and these nodes, which look once a second. */
async function pass(table: FakeTable, ms: number, ...nodes: { leases: Leases; clock: FakeClock }[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    table.clock.advance(500);
    for (const { clock, leases } of nodes) {
      clock.advance(500);
      await leases.look();
    }
  }
}

describe('leases', () => {
  it('have one holder, whom the others see with its address', async () => {
    const table = new FakeTable();
    const one = await node(table, 'one', 'x');
    const two = await node(table, 'two', 'x');
    await pass(table, 10_000, one, two);
    expect(one.leases.holder('x')).toEqual({ is: 'own', fence: 1 });
    expect(two.leases.holder('x')).toMatchObject({ is: 'other', node: { id: 'one', url: 'http://one' } });
  });

  it('are taken over within ten seconds, with a higher number, and the old holder has given them up by then', async () => {
    const table = new FakeTable();
    const one = await node(table, 'one', 'x');
    const two = await node(table, 'two', 'x');
    await pass(table, 1000, one, two);
    table.away.add('one');
    let waited = 0;
    while (two.leases.holder('x').is !== 'own') {
      await pass(table, 500, one, two);
      waited += 500;
      const held = [one, two].filter(({ leases }) => leases.holder('x').is === 'own');
      expect(held.length).toBeLessThan(2);
    }
    expect(waited).toBeLessThanOrEqual(8000);
    expect(two.leases.holder('x')).toEqual({ is: 'own', fence: 2 });
    table.away.delete('one');
    await pass(table, 1000, one, two);
    expect(one.leases.holder('x')).toMatchObject({ is: 'other', node: { id: 'two' } });
  });

  it('are lost by a node that was frozen, before it asks the database', async () => {
    const table = new FakeTable();
    const one = await node(table, 'one', 'x');
    const two = await node(table, 'two', 'x');
    await pass(table, 1000, one, two);
    await pass(table, 8000, two);
    expect(two.leases.holder('x').is).toBe('own');
    table.away.add('one');
    one.clock.advance(8000);
    await eventually('the lease to be given up', () => one.leases.holder('x').is === 'none');
  });

  it('stay with a node that was alone when the database went away', async () => {
    const table = new FakeTable();
    const one = await node(table, 'one', 'x');
    await pass(table, 1000, one);
    table.away.add('one');
    await pass(table, 60_000, one);
    expect(one.leases.holder('x').is).toBe('own');
  });

  it('end where another node was only late: it may take them', async () => {
    const table = new FakeTable();
    const one = await node(table, 'one', 'x');
    await node(table, 'two', 'x');
    await pass(table, 10_000, one);
    expect(one.leases.nodes.map(({ id }) => id)).toEqual(['one']);
    expect(one.leases.holder('x').is).toBe('own');
    table.away.add('one');
    await pass(table, 6000, one);
    expect(one.leases.holder('x').is).toBe('none');
  });

  it('are renewed while their node waits for other leases', async () => {
    const table = new FakeTable();
    const one = await node(table, 'one', 'x');
    const two = await node(table, 'two', 'y');
    await pass(table, 1000, one, two);
    let take = () => {};
    table.taking = new Promise((resolve) => (take = resolve));
    one.leases.want('z');
    for (let n = 0; n < 10; n += 1) {
      table.clock.advance(1000);
      one.clock.advance(1000);
      await eventually('it to be renewed', () => (table.nodes.get('one')?.ends ?? 0) === table.clock.now() + leaseMs);
    }
    expect(one.leases.holder('x')).toEqual({ is: 'own', fence: 1 });
    take();
    await eventually('the other to be taken', () => one.leases.holder('z').is === 'own');
  });

  it('stay held when a view that was read before they were taken comes later', async () => {
    const table = new FakeTable();
    const one = await node(table, 'one');
    const view = await table.renew({ id: 'one', url: 'http://one' });
    let answer = () => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    table.renew = async () => {
      await late;
      return view;
    };
    const looked = one.leases.look();
    await one.leases.takeNow('x');
    answer();
    await looked;
    expect(one.leases.holder('x')).toEqual({ is: 'own', fence: 1 });
  });

  it('are free at once when their holder leaves or does not want them any more', async () => {
    const table = new FakeTable();
    const one = await node(table, 'one', 'x', 'y');
    const two = await node(table, 'two', 'x', 'y');
    await one.leases.unwant('x');
    await pass(table, 1000, two);
    expect(two.leases.holder('x').is).toBe('own');
    await one.leases.close();
    await pass(table, 1000, two);
    expect(two.leases.holder('y').is).toBe('own');
    expect(two.leases.nodes.map(({ id }) => id)).toEqual(['two']);
  });

  it('spread over the nodes that are there', async () => {
    const table = new FakeTable();
    const names = Array.from({ length: 60 }, (_, n) => `server:${n}`);
    const nodes = [await node(table, 'one'), await node(table, 'two'), await node(table, 'three')];
    await pass(table, 500, ...nodes);
    for (const { leases } of nodes) leases.want(...names);
    await pass(table, 2000, ...nodes);
    const held = nodes.map(({ leases }) => names.filter((name) => leases.holder(name).is === 'own').length);
    expect(held.reduce((sum, count) => sum + count)).toBe(60);
    for (const count of held) expect(count).toBeGreaterThan(8);
  });

  it('carry what their holder says of them', async () => {
    const table = new FakeTable();
    const one = await node(table, 'one', 'x');
    const two = await node(table, 'two', 'x');
    one.leases.describe('x', 'live');
    await pass(table, 500, one, two);
    expect(two.leases.holder('x')).toMatchObject({ detail: 'live' });
  });
});
