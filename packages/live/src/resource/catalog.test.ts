import type { Resource } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { type Page, listPage, templatePage } from './catalog.ts';
import type { Caller } from './caller.ts';
import { Route, type RouteOptions } from './route.ts';
import type { AnyParams } from './template.ts';

const caller: Caller = { era: 'modern', transport: 'memory' };
const everybody = () => true;

function route(template: string, options: Partial<RouteOptions<AnyParams>> = {}): Route {
  return new Route(template, { read: () => null, ...options });
}

function page(routes: Route[], cursor?: string, pageSize = 3): Promise<Page<Resource>> {
  return listPage(routes, cursor, pageSize, caller, everybody);
}

async function allPages(routes: Route[], between: () => void = () => undefined): Promise<string[]> {
  const uris: string[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await page(routes, cursor);
    uris.push(...items.map(({ uri }) => uri));
    cursor = nextCursor;
    between();
  } while (cursor !== undefined);
  return uris;
}

describe('paging', () => {
  it('takes no more from a source than one page needs', async () => {
    let taken = 0;
    const endless = route('n://{n}', {
      list: function* () {
        for (;;) yield { n: String((taken += 1)) };
      },
    });
    expect((await page([endless])).items).toHaveLength(3);
    expect(taken).toBe(4);
  });

  it('closes a source it does not read to the end', async () => {
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

  it('neither repeats nor skips what stays, while others come and go', async () => {
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

  it('goes on where the last resource stood, when that one is gone', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const notes = route('n://{name}', { list: () => names.map((name) => ({ name })) });
    const seen = await allPages([notes], () => {
      const gone = names.indexOf('c');
      if (gone !== -1) names.splice(gone, 1);
    });
    expect(seen).toEqual(['n://a', 'n://b', 'n://c', 'n://d', 'n://e']);
  });

  it('comes to an end when a list names a resource twice', async () => {
    const twice = route('n://{name}', {
      list: () => ['Cam', 'Mic', 'Cam', 'Cam', 'Cam', 'Cam', 'End'].map((name) => ({ name })),
    });
    expect(await allPages([twice])).toHaveLength(7);
  });

  it('hands the last parameters to a source that can seek', async () => {
    const asked: unknown[] = [];
    const sought = route('n://{n}', {
      listAfter: (last) => {
        asked.push(last);
        const from = Number(last?.['n'] ?? 0);
        return [1, 2, 3, 4, 5].filter((n) => n > from).map((n) => ({ n: String(n) }));
      },
    });
    expect(await allPages([sought])).toEqual(['n://1', 'n://2', 'n://3', 'n://4', 'n://5']);
    expect(asked).toEqual([undefined, { n: '3' }]);
  });

  it('fills pages with what the caller may see', async () => {
    const notes = route('n://{n}', { list: () => Array.from({ length: 10 }, (_, n) => ({ n: String(n) })) });
    const isEven = (uri: string) => Number(uri.slice(4)) % 2 === 0;
    const { items, nextCursor } = await listPage([notes], undefined, 3, caller, isEven);
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

it('walks 100,000 resources', async () => {
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
  it('carries what the route and the source say of it', async () => {
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

it('pages templates', () => {
  const routes = Array.from({ length: 5 }, (_, n) => route(`t${n}://{x}`));
  const first = templatePage([route('fixed://x'), ...routes], undefined, 3);
  expect(first.items.map(({ uriTemplate }) => uriTemplate)).toEqual(['t0://{x}', 't1://{x}', 't2://{x}']);
  const second = templatePage(routes, first.nextCursor, 3);
  expect(second.items.map(({ uriTemplate }) => uriTemplate)).toEqual(['t3://{x}', 't4://{x}']);
  expect(second.nextCursor).toBeUndefined();
});
