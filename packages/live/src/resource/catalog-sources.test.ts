// Sources that continue after an entry, so that a page costs no more than its own entries.
import { describe, expect, it } from 'vitest';
import { allPages, caller, page, route } from '../testing/listed-pages.ts';
import { listPage } from './catalog.ts';

describe('a source that can seek', () => {
  it('passes the last parameters to a source that can seek', async () => {
    const asked: unknown[] = [];
    const sought = route('n://{n}', {
      listAfter: (last) => {
        asked.push(last);
        const from = Number(last?.['n'] ?? 0);
        return [1, 2, 3, 4, 5].filter((n) => n > from).map((n) => ({ n: String(n) }));
      },
    });
    expect(await allPages([sought])).toEqual(['n://1', 'n://2', 'n://3', 'n://4', 'n://5']);
    expect(asked).toEqual([undefined, { n: '3' }, { n: '5' }]);
  });

  it('calls a source with its own page size until it has no more', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => String(n).padStart(3, '0'));
    const limits: number[] = [];
    const sought = route('n://{n}', {
      listAfter: async (last, { limit }) => {
        limits.push(limit);
        const after = rows.filter((n) => last === undefined || n > (last['n'] ?? ''));
        return after.slice(0, 100).map((n) => ({ n }));
      },
    });
    const whole = await page([sought], undefined, 1000);
    expect(whole.items).toHaveLength(300);
    expect(whole.nextCursor).toBeUndefined();
    expect(limits).toEqual([1001, 901, 801, 701]);
    const first = await page([sought], undefined, 250);
    expect(first.items).toHaveLength(250);
    expect((await page([sought], first.nextCursor, 250)).items.map(({ name }) => name)).toEqual(rows.slice(250));
  });

  it('requests more when the caller may not see some', async () => {
    const sought = route('n://{n}', {
      listAfter: (last, { limit }) => {
        const from = Number(last?.['n'] ?? -1) + 1;
        return Array.from({ length: Math.min(limit, 50 - from) }, (_, n) => ({ n: String(from + n) }));
      },
    });
    const permits = (uri: string) => Number(uri.slice(4)) % 10 === 0;
    const { items } = await listPage([sought], { cursor: undefined, pageSize: 10, caller, permits });
    expect(items.map(({ name }) => name)).toEqual(['0', '10', '20', '30', '40']);
  });

  it('refuses a source that does not continue after the last entry, instead of requesting forever', async () => {
    const stuck = route('n://{n}', { listAfter: () => ['1', '2', '3', '4', '5'].map((n) => ({ n })) });
    await expect(page([stuck], undefined, 100)).rejects.toThrow('return only what follows it');
    const { nextCursor } = await page([stuck]);
    await expect(page([stuck], nextCursor)).rejects.toThrow('return only what follows it');
  });

  it('reports a list with an invalid type', async () => {
    for (const options of [{ list: () => undefined }, { listAfter: async () => 5 }, { list: () => ({}) }]) {
      const odd = route('n://{n}');
      Object.assign(odd.options, options);
      await expect(page([odd])).rejects.toThrow('of "n://{n}" must return an array');
    }
  });

  it('stops calling the source when the client has left', async () => {
    const leaving = new AbortController();
    let asked = 0;
    const endless = route('n://{n}', {
      listAfter: (_last, { signal }) => {
        asked += 1;
        if (asked === 3) leaving.abort();
        return signal.aborted ? [] : [{ n: String(asked) }];
      },
    });
    await listPage([endless], {
      cursor: undefined,
      pageSize: 100,
      caller,
      permits: () => true,
      signal: leaving.signal,
    });
    expect(asked).toBe(3);
  });
});
