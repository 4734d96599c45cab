import { describe, expect, it } from 'vitest';
import {
  type ParsedTemplate,
  expandedTemplate,
  matchesTemplate,
  parseTemplate,
  templateVariables,
} from './uri-template.ts';

const enough = () => ({ steps: 1_000_000 });

function parsed(text: string): ParsedTemplate {
  const template = parseTemplate(text);
  if (template === undefined) throw new Error(`${text} is no template`);
  return template;
}

describe('a template', () => {
  it.each([
    ['note://{name}', 'note://a', true],
    ['note://{name}', 'note://a/b', false],
    ['note://{name}', 'other://a', false],
    ['note://{name}/text', 'note://a/text', true],
    ['note://{name}/text', 'note://a/other', false],
    ['note://{a}-{b}.txt', 'note://x-y-z.txt', true],
    ['file:///{+path}', 'file:///a/b/c', true],
    ['file:///{+path}/end', 'file:///a/b/end', true],
    ['file:///{+path}/end', 'file:///a/b/ends', false],
    ['vcon://recent{/limit}', 'vcon://recent', true],
    ['vcon://recent{/limit}', 'vcon://recent/10', true],
    ['vcon://recent{/limit}', 'vcon://recent/10/11', false],
    ['vcon://recent{/limit}', 'vcon://recents', false],
    ['x://a{/b,c}', 'x://a/1/2', true],
    ['x://a{/b*}/end', 'x://a/1/2/3/end', true],
    ['db://table{?limit,after}', 'db://table?limit=3&after=4', true],
    ['db://table{?limit}', 'db://table', true],
    ['db://table{?limit}', 'db://tables', false],
    ['db://table?x=1{&limit}', 'db://table?x=1&limit=2', true],
    ['page://{x}{#part}', 'page://a#b', true],
    ['page://plain', 'page://plain', true],
    ['page://plain', 'page://plainer', false],
  ])('%s: %s is %s', (template, uri, expected) => {
    expect(matchesTemplate(parsed(template), uri, enough())).toBe(expected);
  });

  it.each(['{+everything}', '{scheme}://x', 'note://{name', 'no scheme {x}', `note://${'{a}/'.repeat(300)}`])(
    'that is %s matches no URI',
    (text) => {
      expect(parseTemplate(text)).toBeUndefined();
    },
  );

  it.each([
    ['x://a{/b}', 'x://a/1/2', false],
    ['x://a{/b}/2', 'x://a/1/2', true],
    ['x://a{/b,c}{/d}', 'x://a/1/2/3', true],
    ['x://a{/b,c}{/d}', 'x://a/1/2/3/4', false],
    ['x://a{/b*}x{/c*}x', 'x://a/1/2x/3/x', true],
    ['x://a{b}{/c}', 'x://a-b/1', true],
    ['x://a{?b}?', 'x://a?b?', true],
  ])('with several paths: %s, %s is %s', (template, uri, expected) => {
    expect(matchesTemplate(parsed(template), uri, enough())).toBe(expected);
  });

  it('takes at most its parts times the length of the URI, for any template', () => {
    const hostile = [
      'note://{+a}{+b}{+c}{+d}{+e}{+f}{+g}{+h}{+i}{+j}{+k}{+l}!',
      `note://${'{a}{b}'.repeat(30)}!`,
      `note://${'{+a}a'.repeat(30)}!`,
      `note://${'{a}a'.repeat(30)}!`,
      `note://${'{/a*}'.repeat(30)}!`,
      `note://${'{/a*}x'.repeat(30)}!`,
      `note://${'{/a,b,c}{d}'.repeat(30)}!`,
      `note://${'{?a}'.repeat(30)}!`,
    ];
    for (const rest of ['a'.repeat(8000), '/x'.repeat(4000), '/'.repeat(8000), '?&'.repeat(4000)]) {
      const uri = `note://${rest}`;
      for (const text of hostile) {
        const budget = { steps: 64 * uri.length };
        expect(matchesTemplate(parsed(text), uri, budget), text).toBe(false);
        expect(budget.steps, text).toBeGreaterThanOrEqual(0);
      }
    }
    const uri = `note://${'a'.repeat(8000)}`;
    expect(matchesTemplate(parsed('note://{+a}a{+b}a{+c}'), uri, { steps: 10 })).toBe(false);
  });
});

describe('a template is written with values', () => {
  it.each([
    ['note://{name}', { name: 'São Paulo' }, 'note://S%C3%A3o%20Paulo'],
    ['file:///{+path}', { path: 'a/b c.txt' }, 'file:///a/b%20c.txt'],
    ['x://list{?q,page}', { q: 'a&b', page: '2' }, 'x://list?q=a%26b&page=2'],
    ['x://list{?q,page}', { page: '2' }, 'x://list?page=2'],
    ['x://list{?q,page}', { q: '' }, 'x://list?q='],
    ['x://list{?q,page}', {}, 'x://list'],
    ['x://list{;q,page}', { q: '', page: '2' }, 'x://list;q;page=2'],
    ['x://a{/b,c}', { b: '1', c: '2' }, 'x://a/1/2'],
    ['x://a{/b*}', { b: '1/2' }, 'x://a/1%2F2'],
    ['x://{name}.json', { name: 'n' }, 'x://n.json'],
    ['x://{toString}', {}, 'x://'],
    ['x://{name', {}, undefined],
  ])('%s with %j is %s', (template, values, uri) => {
    expect(expandedTemplate(template, values)).toBe(uri);
  });

  it('of its variables, each named once', () => {
    expect(templateVariables('x://{a}/{b}{?a,c*,d:3}')).toEqual(['a', 'b', 'c', 'd']);
  });
});
