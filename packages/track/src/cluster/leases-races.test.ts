// Renewing, taking and returning leases run in parallel: the handling of late responses of the database.
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { FakeLeaseTable, leasesOf, pass } from '../testing/fake-lease-table.ts';
import { leaseMs } from './lease-table.ts';
import type { Leases } from './leases.ts';

describe('leases', () => {
  it('are renewed while their node waits for other leases', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    const two = await leasesOf(table, 'two', 'y');
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

  it('stay held when an outdated view arrives later', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one');
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

  it('are taken once, also if an outdated view arrives later', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one');
    let take = () => {};
    const taking = new Promise<void>((resolve) => (take = resolve));
    table.taking = taking;
    one.leases.want('x');
    await eventually('it to be asked for', () => table.takes.length === 1);
    const renewed = table.renew.bind(table);
    let views = 0;
    table.renew = async (row) => {
      const view = await renewed(row);
      views += 1;
      return view;
    };
    const looked = one.leases.look();
    await eventually('a view to be read', () => views === 1);
    take();
    await looked;
    expect(one.leases.holder('x')).toEqual({ is: 'own', fence: 1 });
    expect(table.takes).toEqual(['x']);
  });

  it('do not count if the database answers after they have ended', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    const two = await leasesOf(table, 'two', 'x');
    await pass(table, 1000, one, two);
    const renewed = table.renew.bind(table);
    let isAsked = false;
    let answer = () => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    table.renew = async (row) => {
      const view = await renewed(row);
      isAsked = true;
      await late;
      return view;
    };
    const looked = one.leases.look();
    await eventually('the database to be asked', () => isAsked);
    one.clock.advance(leaseMs);
    const seen: string[] = [];
    one.leases.follow(() => seen.push(one.leases.holder('x').is));
    answer();
    await looked;
    // The next renewal shows them.
    expect(seen[0]).toBe('none');
  });

  const returned: [string, (leases: Leases) => Promise<void>][] = [
    ['stopped wanting them', (leases) => leases.unwant('x')],
    ['retired', (leases) => leases.retire()],
  ];
  it.each(returned)('are returned when they arrive after their node %s', async (_, giveUp) => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one');
    let take = () => {};
    const taking = new Promise<void>((resolve) => (take = resolve));
    table.taking = taking;
    one.leases.want('x');
    await eventually('it to be asked for', () => table.takes.length === 1);
    await giveUp(one.leases);
    take();
    await pass(table, 1000, one);
    const two = await leasesOf(table, 'two', 'x');
    await pass(table, 1000, one, two);
    expect(two.leases.holder('x')).toEqual({ is: 'own', fence: 2 });
  });

  it('are returned once the database answers again', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    table.away.add('one');
    await one.leases.unwant('x');
    table.away.delete('one');
    await pass(table, 1000, one);
    const two = await leasesOf(table, 'two', 'x');
    await pass(table, 1000, one, two);
    expect(two.leases.holder('x')).toEqual({ is: 'own', fence: 2 });
  });

  it('do not count while they are being returned, also if they are wanted again', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    const release = table.release.bind(table);
    let reach = () => {};
    const late = new Promise<void>((resolve) => (reach = resolve));
    table.release = async (...args) => {
      await late;
      return release(...args);
    };
    const given = one.leases.unwant('x');
    one.leases.want('x');
    await one.leases.look();
    expect(one.leases.holder('x').is).toBe('none');
    reach();
    await given;
    await pass(table, 1000, one);
    expect(one.leases.holder('x')).toEqual({ is: 'own', fence: 2 });
  });

  it('have no note of a node from before it lost them', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    const two = await leasesOf(table, 'two', 'x');
    await pass(table, 1000, one, two);
    table.away.add('one');
    one.leases.describe('x', 'of one');
    const described: string[] = [];
    const describe = table.describe.bind(table);
    table.describe = (row, details) => {
      described.push(...details.values());
      return describe(row, details);
    };
    await pass(table, 10_000, one, two);
    expect(two.leases.holder('x').is).toBe('own');
    table.away.delete('one');
    await pass(table, 1000, one, two);
    expect(described).toEqual([]);
  });
});
