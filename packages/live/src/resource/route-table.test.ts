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

describe('two routes for the same URIs', () => {
  it.each([
    ['a://{x}', 'a://{y}'],
    ['a://x', 'A://%78'],
    ['a://x{/y}', 'a://x'],
    ['a://x{/y}', 'a://x/{z}'],
    ['a://{+x}', 'a://{+y}'],
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
  );
  const match = (uri: string) => table.match(uri, { ignoreTrailingSlash: true });

  it.each([
    ['v://recent/', 'v://recent'],
    ['v://recent/25/', 'v://recent/25'],
    ['v://abc/', 'v://abc'],
    ['v://abc/metadata/', 'v://abc/metadata'],
    ['v://abc/dialog/', 'v://abc/dialog'],
    ['v://abc/dialog/3/', 'v://abc/dialog/3'],
  ])('%s is %s', (uri, canonical) => {
    expect(match(uri).canonical).toBe(canonical);
  });

  it('counts where a resource of that very name is possible', () => {
    expect(match('v://empty/')).toMatchObject({ route: 'v://empty/{name}', params: { name: '' } });
  });

  it('is tolerated once, and only where that was asked for', () => {
    expect(() => match('v://abc/metadata//')).toThrow('No such resource');
    expect(() => table.match('v://abc/metadata/')).toThrow('No such resource');
  });
});
