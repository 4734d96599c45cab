import { describe, expect, it } from 'vitest';
import { RouteTable } from './route-table.ts';
import { UriTemplate } from './template.ts';

function tableOf(...templates: string[]) {
  const table = new RouteTable<string>();
  for (const template of templates) table.add(new UriTemplate(template), template);
  return table;
}

describe('the most specific route wins', () => {
  const table = tableOf(
    'v://{+rest}',
    'v://{id}',
    'v://recent',
    'v://recent/ids{/n}',
    'v://recent/{n}',
    'v://{id}/metadata',
    'v://{id}/dialog/{index}',
    'v://{id}/{part}',
  );

  it.each([
    ['v://recent', 'v://recent'],
    ['v://%72ecent', 'v://recent'],
    ['v://recent/25', 'v://recent/{n}'],
    ['v://recent/ids', 'v://recent/ids{/n}'],
    ['v://recent/ids/7', 'v://recent/ids{/n}'],
    ['v://recent/metadata', 'v://recent/{n}'],
    ['v://abc', 'v://{id}'],
    ['v://abc/metadata', 'v://{id}/metadata'],
    ['v://abc/parties', 'v://{id}/{part}'],
    ['v://abc/dialog/3', 'v://{id}/dialog/{index}'],
    ['v://recent/dialog/3', 'v://{id}/dialog/{index}'],
    ['v://abc/dialog/3/x', 'v://{+rest}'],
    ['v://', 'v://{id}'],
  ])('%s → %s', (uri, template) => {
    expect(table.match(uri).route).toBe(template);
  });
});

describe('beside literals', () => {
  const table = tableOf(
    'v://{+rest}',
    'v://{id}',
    'v://{id}.json',
    'v://a{id}',
    'v://{id}n',
    'v://report.json',
    'v://{id}.tar.json',
    'v://find?q=1',
    'v://find{?q}',
    'v://{id}/find{?q}',
    'v://all/{+path}{?q}',
  );

  it.each([
    ['v://report.json', 'v://report.json'],
    ['v://x.json', 'v://{id}.json'],
    ['v://x.tar.json', 'v://{id}.tar.json'],
    // As much literal text as `{id}n`, but at the beginning.
    ['v://axn', 'v://a{id}'],
    ['v://a.json', 'v://{id}.json'],
    ['v://xn', 'v://{id}n'],
    ['v://x', 'v://{id}'],
    ['v://find', 'v://find{?q}'],
    ['v://find?q=1', 'v://find?q=1'],
    ['v://find?q=2', 'v://find{?q}'],
    ['v://find?q=2/3', 'v://find{?q}'],
    ['v://find?z=2', 'v://{+rest}'],
    ['v://x/find?q=2', 'v://{id}/find{?q}'],
    ['v://all/x/y?q=2', 'v://all/{+path}{?q}'],
    // The first segment that differs decides.
    ['v://all/find?q=2', 'v://all/{+path}{?q}'],
    ['v://all/x/y?z=2', 'v://{+rest}'],
  ])('%s → %s', (uri, template) => {
    expect(table.match(uri).route).toBe(template);
  });

  it('does not depend on the order of definition', () => {
    const templates = ['v://{id}', 'v://{id}.json', 'v://a{id}', 'v://{id}n', 'v://a{id}.json'];
    const uris = ['v://a.json', 'v://axn', 'v://x.json', 'v://n', 'v://a'];
    const routes = (table: RouteTable<string>) => uris.map((uri) => table.match(uri).route);
    expect(routes(tableOf(...templates))).toEqual(routes(tableOf(...templates.toReversed())));
  });
});

it('takes time in proportion to the routes and the URI', () => {
  const templates = Array.from({ length: 12 }, (_, depth) =>
    ['x', '{a}x', 'x{a}', '{a}'].map((last, index) => {
      const path = Array.from({ length: depth }, (__, at) => ((at + index) % 2 ? `{v${at}}` : `x{v${at}}`));
      return `a://${[...path, last].join('/')}`;
    }),
  ).flat();
  const table = new RouteTable<string>();
  for (const text of templates) {
    try {
      table.add(new UriTemplate(text), text);
    } catch {
      // Duplicates are added too, as many as there are different routes.
    }
  }
  // The shortest of some runs, since a busy machine makes single runs longer.
  const millisecondsFor = (length: number) => {
    const uri = `a://${'x/'.repeat(11)}y?${'&x'.repeat(length / 10)}${'/x'.repeat(length)}`;
    const runs = Array.from({ length: 5 }, () => {
      const began = performance.now();
      expect(() => table.match(uri)).toThrow('No such resource');
      return performance.now() - began;
    });
    return Math.min(...runs);
  };
  // Linear time grows fifty times, quadratic time 2500 times.
  expect(millisecondsFor(100_000) / Math.max(0.1, millisecondsFor(2000))).toBeLessThan(1000);
});

describe('two routes for the same URIs', () => {
  it.each([
    ['a://{x}', 'a://{y}'],
    ['a://x', 'A://%78'],
    ['a://x{/y}', 'a://x'],
    ['a://x{/y}', 'a://x/{z}'],
    ['a://{+x}', 'a://{+y}'],
    ['a://{x}.json', 'a://{y}.js%6Fn'],
    ['a://s', 'a://s{?q}'],
    ['a://{x}{?q}', 'a://{y}{?page}'],
    ['a://{+x}{?q}', 'a://{+y}'],
  ])('%s and %s are refused', (one, other) => {
    expect(() => tableOf(one, other)).toThrow('match the same URIs');
  });
});

it('forgets a route that is removed', () => {
  const table = tableOf('a://x', 'a://{x}');
  const removable = new UriTemplate('a://y{/z}');
  table.add(removable, 'removable');
  expect(table.match('a://y/1').route).toBe('removable');
  table.remove(removable);
  expect(table.match('a://y').route).toBe('a://{x}');
  expect(() => table.match('a://y/1')).toThrow('No such resource');
  table.add(new UriTemplate('a://y{/z}'), 'again');
  expect(table.match('a://y/1').route).toBe('again');
});

describe('a slash at the end', () => {
  const table = tableOf(
    'v://recent{/n}',
    'v://{id}',
    'v://{id}/metadata',
    'v://{id}/dialog{/index}',
    'v://empty/{name}',
    'v://find{?q}',
    'v://{id}.json',
  );
  const match = (uri: string) => table.match(uri, { ignoreTrailingSlash: true });

  it.each([
    ['v://recent/', 'v://recent'],
    ['v://recent/25/', 'v://recent/25'],
    ['v://abc/', 'v://abc'],
    ['v://abc/metadata/', 'v://abc/metadata'],
    ['v://abc/dialog/', 'v://abc/dialog'],
    ['v://abc/dialog/3/', 'v://abc/dialog/3'],
    ['v://find/?q=a/', 'v://find?q=a%2F'],
    ['v://abc.json/', 'v://abc.json'],
  ])('%s is %s', (uri, canonical) => {
    expect(match(uri).canonical).toBe(canonical);
  });

  it('is significant if a resource of that name is possible', () => {
    expect(match('v://empty/')).toMatchObject({ route: 'v://empty/{name}', params: { name: '' } });
  });

  it('is tolerated once, and only if the option is set', () => {
    expect(() => match('v://abc/metadata//')).toThrow('No such resource');
    expect(() => table.match('v://abc/metadata/')).toThrow('No such resource');
  });
});
