import { describe, expect, it } from 'vitest';
import { completedTemplate, expandedTemplate, templatePattern, variablesOf } from './uri-template.ts';

describe('a URI template', () => {
  it.each([
    ['note://{name}', { name: 'São Paulo' }, 'note://S%C3%A3o%20Paulo'],
    ['file:///{+path}', { path: 'a/b c.txt' }, 'file:///a/b%20c.txt'],
    ['x://list{?q,page}', { q: 'a&b', page: '2' }, 'x://list?q=a%26b&page=2'],
    ['x://list{?q,page}', { page: '2' }, 'x://list?page=2'],
    ['x://list{?q,page}', {}, 'x://list'],
    ['x://a{/b,c}', { b: '1', c: '2' }, 'x://a/1/2'],
    ['x://{name}.json', { name: 'n' }, 'x://n.json'],
  ])('%s with %j is %s', (template, values, uri) => {
    expect(expandedTemplate(template, values)).toBe(uri);
  });

  it('lists each variable once', () => {
    expect(variablesOf('x://{a}/{b}{?a,c*}')).toEqual(['a', 'b', 'c']);
  });

  it('describes its URIs', () => {
    expect(templatePattern('note://{name}').test('note://a')).toBe(true);
    expect(templatePattern('note://{name}').test('note://a/b')).toBe(false);
    expect(templatePattern('file:///{+path}').test('file:///a/b')).toBe(true);
    expect(templatePattern('x://list{?q}').test('x://list?q=1')).toBe(true);
    expect(templatePattern('x://a{/b,c}').test('x://a/1/2')).toBe(true);
  });

  it('is matched quickly with any number of variables', () => {
    const template = `${Array.from({ length: 30 }, (_, n) => `{+v${n}}x`).join('')}!`;
    expect(templatePattern(template).test('x'.repeat(2000))).toBe(false);
    expect(templatePattern(template).test(`${'x'.repeat(2000)}!`)).toBe(true);
  });

  it('finds the variable that a partial URI ends in', () => {
    const template = 'x://{a}/in/{b}';
    expect(completedTemplate(template, 'x://fi')).toEqual({ variable: 'a', value: 'fi', before: 'x://' });
    expect(completedTemplate(template, 'x://first/in/')).toEqual({ variable: 'b', value: '', before: 'x://first/in/' });
    expect(completedTemplate(template, 'y://')).toBeUndefined();
    expect(completedTemplate(template, 'x://a/out')).toBeUndefined();
  });
});
