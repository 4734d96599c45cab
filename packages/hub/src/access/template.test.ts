import { patternParts } from '@tidings/client/contract';
import { describe, expect, it } from 'vitest';
import { AllowList } from './allow-list.ts';
import { type ParsedTemplate, matches, parseTemplate } from './template.ts';
import { overlap } from './template-reach.ts';

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
    expect(matches(parsed(template), uri, enough())).toBe(expected);
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
    expect(matches(parsed(template), uri, enough())).toBe(expected);
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
        expect(matches(parsed(text), uri, budget), text).toBe(false);
        expect(budget.steps, text).toBeGreaterThanOrEqual(0);
      }
    }
    const uri = `note://${'a'.repeat(8000)}`;
    expect(matches(parsed('note://{+a}a{+b}a{+c}'), uri, { steps: 10 })).toBe(false);
  });
});

describe('a template and a pattern', () => {
  it.each([
    ['note://{name}', 'note://a*', true],
    ['note://{name}', 'note://a/*', false],
    ['note://{+name}', 'note://a/*', true],
    ['note://{name}', 'other://**', false],
    ['a://x/{id}/private', 'a://x/*/public', false],
    ['a://x/{id}/private', 'a://x/**', true],
    ['vcon://recent{/limit}', 'vcon://recent', true],
    ['vcon://recent{/limit}', 'vcon://recently', true],
    ['note://fixed', 'note://fix*', true],
    ['note://fixed', '**', true],
  ])('%s and %s have a URI in common: %s', (template, pattern, expected) => {
    expect(overlap(parsed(template).parts, patternParts(pattern))).toBe(expected);
  });

  it.each([
    ['note://{name}', 'note://*', true],
    ['note://{name}', 'note://a*', false],
    ['note://{+name}', 'note://*', false],
    ['note://{+name}', 'note://**', true],
    ['vcon://recent{/limit}', 'vcon://recent**', true],
    ['vcon://recent{/limit}', 'vcon://recent/*', false],
    ['a://{x}/b', 'a://*/b', true],
  ])('of %s, %s opens all: %s', (template, pattern, expected) => {
    expect(new AllowList([pattern]).covers(parsed(template))).toBe(expected);
  });
});
