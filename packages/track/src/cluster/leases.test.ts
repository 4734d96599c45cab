import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { FakeLeaseTable, leasesOf, pass } from '../testing/fake-lease-table.ts';

describe('leases', () => {
  it('have one holder, which the others see with its address', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    const two = await leasesOf(table, 'two', 'x');
    await pass(table, 10_000, one, two);
    expect(one.leases.holder('x')).toEqual({ is: 'own', fence: 1 });
    expect(two.leases.holder('x')).toMatchObject({ is: 'other', node: { id: 'one', url: 'http://one' } });
  });

  it('are taken over within ten seconds, with a higher number, after the old holder has stopped relying on them', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    const two = await leasesOf(table, 'two', 'x');
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
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    const two = await leasesOf(table, 'two', 'x');
    await pass(table, 1000, one, two);
    await pass(table, 8000, two);
    expect(two.leases.holder('x').is).toBe('own');
    table.away.add('one');
    one.clock.advance(8000);
    await eventually('the lease to be given up', () => one.leases.holder('x').is === 'none');
  });

  it('stay with a node that was alone when the database became unavailable', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    await pass(table, 1000, one);
    table.away.add('one');
    await pass(table, 60_000, one);
    expect(one.leases.holder('x').is).toBe('own');
  });

  it('end if another node was only late, because it may take them', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    await leasesOf(table, 'two', 'x');
    await pass(table, 10_000, one);
    expect(one.leases.nodes.map(({ id }) => id)).toEqual(['one']);
    expect(one.leases.holder('x').is).toBe('own');
    table.away.add('one');
    await pass(table, 6000, one);
    expect(one.leases.holder('x').is).toBe('none');
  });

  it('are free at once when their holder leaves or does not want them any more', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x', 'y');
    const two = await leasesOf(table, 'two', 'x', 'y');
    await one.leases.unwant('x');
    await pass(table, 1000, two);
    expect(two.leases.holder('x').is).toBe('own');
    await one.leases.close();
    await pass(table, 1000, two);
    expect(two.leases.holder('y').is).toBe('own');
    expect(two.leases.nodes.map(({ id }) => id)).toEqual(['two']);
  });

  it('are spread over the live nodes', async () => {
    const table = new FakeLeaseTable();
    const names = Array.from({ length: 60 }, (_, n) => `server:${n}`);
    const nodes = [await leasesOf(table, 'one'), await leasesOf(table, 'two'), await leasesOf(table, 'three')];
    await pass(table, 500, ...nodes);
    for (const { leases } of nodes) leases.want(...names);
    await pass(table, 2000, ...nodes);
    const held = nodes.map(({ leases }) => names.filter((name) => leases.holder(name).is === 'own').length);
    expect(held.reduce((sum, count) => sum + count)).toBe(60);
    for (const count of held) expect(count).toBeGreaterThan(8);
  });

  it('have the notes of their holder', async () => {
    const table = new FakeLeaseTable();
    const one = await leasesOf(table, 'one', 'x');
    const two = await leasesOf(table, 'two', 'x');
    one.leases.describe('x', 'live');
    await pass(table, 500, one, two);
    expect(two.leases.holder('x')).toMatchObject({ detail: 'live' });
  });
});
