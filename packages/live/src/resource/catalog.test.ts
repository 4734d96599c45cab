import { describe, expect, it } from 'vitest';
import { allPages, caller, page, route } from '../testing/listed-pages.ts';
import { listPage, templatePage } from './catalog.ts';

describe('paging', () => {
  it('takes only one page from a source', async () => {
    let taken = 0;
    const endless = route('n://{n}', {
      list: function* () {
        for (;;) yield { n: String((taken += 1)) };
      },
    });
    expect((await page([endless])).items).toHaveLength(3);
    expect(taken).toBe(4);
  });

  it('closes a source that it does not read to the end', async () => {
    let isClosed = false;
    const source = route('n://{n}', {
      list: async function* () {
        try {
          for (let n = 0; n < 100; n += 1) yield { n: String(n) };
        } finally {
          isClosed = true;
        }
      },
    });
    await page([source]);
    expect(isClosed).toBe(true);
  });

  it('neither repeats nor skips resources while others are added and removed', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const stay = new Set(['a', 'c', 'd', 'g', 'h']);
    let step = 0;
    const notes = route('n://{name}', { list: () => names.map((name) => ({ name })) });
    const seen = await allPages([notes], () => {
      step += 1;
      if (step === 1) names.splice(names.indexOf('b'), 1, 'aa', 'ab');
      if (step === 2) names.splice(names.indexOf('e'), 1);
    });
    const kept = seen.map((uri) => uri.slice(4)).filter((name) => stay.has(name));
    expect(kept).toEqual([...stay]);
  });

  it('continues at the position of the last resource if that was removed', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const notes = route('n://{name}', { list: () => names.map((name) => ({ name })) });
    const seen = await allPages([notes], () => {
      const gone = names.indexOf('c');
      if (gone !== -1) names.splice(gone, 1);
    });
    expect(seen).toEqual(['n://a', 'n://b', 'n://c', 'n://d', 'n://e']);
  });

  it('skips nothing when the last resource and others before it are gone', async () => {
    const numbers = Array.from({ length: 30 }, (_, n) => String(n).padStart(2, '0'));
    for (const isArray of [true, false]) {
      let left = [...numbers];
      const list = function* () {
        for (const n of left) yield { n };
      };
      const notes = route('n://{n}', { list: () => (isArray ? [...list()] : list()) });
      const first = await page([notes], undefined, 10);
      // Every other entry of the first page is gone, and the last three.
      left = left.filter((n) => Number(n) >= 10 || (Number(n) % 2 === 0 && Number(n) < 7));
      const second = await page([notes], first.nextCursor, 100);
      expect(second.items.map(({ name }) => name)).toEqual(numbers.slice(10));
      // The last one has moved to the end of the list: entries between are not skipped.
      left = [...numbers.slice(0, 5), ...numbers.slice(7), '05', '06'];
      const moved = await page([notes], (await page([notes], undefined, 5)).nextCursor, 100);
      expect(moved.items[0]?.name).toBe('07');
    }
  });

  it.each([true, false])('refuses a cursor if all of its positions are gone (an array: %s)', async (isArray) => {
    let numbers = Array.from({ length: 30 }, (_, n) => n);
    const list = function* () {
      for (const n of numbers) yield { n: String(n) };
    };
    const notes = route('n://{n}', { list: () => (isArray ? [...list()] : list()) });
    const { nextCursor } = await page([notes], undefined, 10);
    numbers = numbers.slice(10);
    await expect(page([notes], nextCursor)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('leave it out to start from the first page'),
    });
  });

  it('calls a list once per page, and reads only the page of an array', async () => {
    const size = 20_000;
    let calls = 0;
    let taken = 0;
    const all = Array.from({ length: size }, (_, n) => ({
      get n() {
        taken += 1;
        return String(n);
      },
    }));
    const notes = route('n://{n}', {
      list: () => {
        calls += 1;
        return all;
      },
    });
    let cursor: string | undefined;
    do ({ nextCursor: cursor } = await page([notes], cursor, 1000));
    while (cursor !== undefined);
    expect(calls).toBe(20);
    // An entry is read for its URI, its name and the end of a page, not once per later page.
    expect(taken).toBeLessThan(size * 6);
  });

  it('iterates a generator once per page', async () => {
    let walks = 0;
    const notes = route('n://{n}', {
      list: function* () {
        walks += 1;
        for (let n = 0; n < 30; n += 1) yield { n: String(n) };
      },
    });
    const { nextCursor } = await page([notes], undefined, 10);
    const { items } = await page([notes], nextCursor, 10);
    expect(items[0]?.uri).toBe('n://10');
    expect(walks).toBe(2);
  });

  it('keeps a cursor short when URIs are long', async () => {
    const notes = route('n://{n}', {
      list: () => Array.from({ length: 30 }, (_, n) => ({ n: `${'x'.repeat(1000)}${n}` })),
    });
    const { nextCursor } = await page([notes], undefined, 10);
    expect(nextCursor?.length).toBeLessThan(4000);
    expect((await page([notes], nextCursor, 10)).items[0]?.name).toMatch(/x10$/);
  });

  it('ends even if a list has a resource twice', async () => {
    const twice = route('n://{name}', {
      list: () => ['Cam', 'Mic', 'Cam', 'Cam', 'Cam', 'Cam', 'End'].map((name) => ({ name })),
    });
    expect(await allPages([twice])).toHaveLength(7);
  });

  it('fills pages with visible resources', async () => {
    const notes = route('n://{n}', { list: () => Array.from({ length: 10 }, (_, n) => ({ n: String(n) })) });
    const isEven = (uri: string) => Number(uri.slice(4)) % 2 === 0;
    const { items, nextCursor } = await listPage([notes], { cursor: undefined, pageSize: 3, caller, permits: isEven });
    expect(items.map(({ uri }) => uri)).toEqual(['n://0', 'n://2', 'n://4']);
    expect(nextCursor).toBeDefined();
  });

  it.each(['', 'x', 'bnVsbA', Buffer.from('{"t":"gone://{x}","n":1,"u":"gone://1"}').toString('base64url')])(
    'refuses the cursor %j',
    async (cursor) => {
      await expect(page([route('n://fixed')], cursor)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    },
  );
});

it('lists 100,000 resources', async () => {
  const notes = route('n://{n}', {
    listAfter: function* (last) {
      for (let n = Number(last?.['n'] ?? -1) + 1; n < 100_000; n += 1) yield { n: String(n) };
    },
  });
  let count = 0;
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await page([notes], cursor, 1000);
    count += items.length;
    cursor = nextCursor;
  } while (cursor !== undefined);
  expect(count).toBe(100_000);
});

describe('an entry', () => {
  it('has the metadata of the route and of the source', async () => {
    const annotations = { audience: ['user' as const], priority: 0.5, lastModified: '2026-11-15T00:00:00Z' };
    const icons = [{ src: 'https://example.com/icon.png' }];
    const notes = route('n://{name}', {
      title: 'Note',
      mimeType: 'text/plain',
      icons,
      list: () => [
        [{ name: 'café' }, { description: 'one', size: 12, annotations, _meta: { 'tidings/type': 'note' } }],
      ],
    });
    const { items } = await page([notes]);
    expect(items).toEqual([
      {
        uri: 'n://caf%C3%A9',
        name: 'café',
        description: 'one',
        mimeType: 'text/plain',
        size: 12,
        annotations,
        icons,
        _meta: { 'tidings/type': 'note' },
      },
    ]);
  });
});

it('adds the annotations and _meta of an entry to those of the route', async () => {
  const notes = route('n://{name}', {
    annotations: { audience: ['user'], priority: 0.5 },
    _meta: { kind: 'note' },
    list: () => [
      [{ name: 'a' }, { annotations: { priority: 1, lastModified: '2026-11-15T00:00:00Z' }, _meta: { own: true } }],
      { name: 'b' },
    ],
  });
  const { items } = await page([notes]);
  expect(items).toMatchObject([
    {
      annotations: { audience: ['user'], priority: 1, lastModified: '2026-11-15T00:00:00Z' },
      _meta: { kind: 'note', own: true },
    },
    { annotations: { audience: ['user'], priority: 0.5 }, _meta: { kind: 'note' } },
  ]);
});

it('pages templates', () => {
  const routes = Array.from({ length: 5 }, (_, n) => route(`t${n}://{x}`));
  const first = templatePage([route('fixed://x'), ...routes], undefined, 3);
  expect(first.items.map(({ uriTemplate }) => uriTemplate)).toEqual(['t0://{x}', 't1://{x}', 't2://{x}']);
  const second = templatePage(routes, first.nextCursor, 3);
  expect(second.items.map(({ uriTemplate }) => uriTemplate)).toEqual(['t3://{x}', 't4://{x}']);
  expect(second.nextCursor).toBeUndefined();
});
