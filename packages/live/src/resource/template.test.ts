import { describe, expect, expectTypeOf, it } from 'vitest';
import { LiveError } from '../base/error.ts';
import { matchTemplate } from '../testing/match-template.ts';
import type { Params, Supported } from './template-params.ts';
import { UriTemplate } from './template.ts';

describe('a literal', () => {
  it.each([
    'http://localhost:8080/status',
    'urn:isbn:0451450523',
    'mailto:me@example.com',
    'a://x?y=1#z',
    'a://caf%C3%A9',
  ])('%s keeps its spelling', (uri) => {
    expect(matchTemplate(uri, uri).canonical).toBe(uri);
  });
});

describe('a variable beside literals', () => {
  it('matches the text between them, even if they occur in it', () => {
    expect(matchTemplate('a://{x}.json', 'a://b.json.json').params).toEqual({ x: 'b.json' });
    expect(matchTemplate('a://{x}.json', 'a://.json').params).toEqual({ x: '' });
    expect(matchTemplate('a://ab{x}ba', 'a://abba').params).toEqual({ x: '' });
    expect(() => matchTemplate('a://ab{x}ba', 'a://aba')).toThrow('No such resource');
    expect(() => matchTemplate('a://{x}.json', 'a://b.jso')).toThrow('No such resource');
  });

  it('is found in any spelling of the literals', () => {
    expect(matchTemplate('a://{x}.json', 'A://b%2ejs%6Fn')).toMatchObject({
      params: { x: 'b' },
      canonical: 'a://b.json',
    });
    expect(matchTemplate('a://{x}%20é', 'a://b%20%c3%a9').canonical).toBe('a://b%20%C3%A9');
  });
});

describe('a query', () => {
  it.each([
    ['a://s?q=1&page=2', { q: '1', page: '2' }, 'a://s?q=1&page=2'],
    ['a://s?page=2&q=1', { q: '1', page: '2' }, 'a://s?q=1&page=2'],
    ['a://s?page=2', { page: '2' }, 'a://s?page=2'],
    ['a://s', {}, 'a://s'],
    ['a://s?', {}, 'a://s'],
    ['a://s?&&q=', { q: '' }, 'a://s?q='],
    ['a://s?q', { q: '' }, 'a://s?q='],
    ['a://s?%71=a/b?c', { q: 'a/b?c' }, 'a://s?q=a%2Fb%3Fc'],
    ['a://s?q=a+b', { q: 'a+b' }, 'a://s?q=a%2Bb'],
    ['a://s?q=a=b', { q: 'a=b' }, 'a://s?q=a%3Db'],
  ])('of %s is %o', (uri, params, canonical) => {
    expect(matchTemplate('a://s{?q,page}', uri)).toMatchObject({ params, canonical });
  });

  it.each(['a://s?x=1', 'a://s?q=1&q=2', 'a://s?q=1#f', 'a://s#f', 'a://s/?q=1'])('cannot be that of %s', (uri) => {
    expect(() => matchTemplate('a://s{?q,page}', uri)).toThrow('No such resource');
  });

  it('ends the rest and an optional segment', () => {
    expect(matchTemplate('a://{+path}{?q}', 'a://b/c?q=d/e').params).toEqual({ path: 'b/c', q: 'd/e' });
    expect(matchTemplate('a://{+path}{?q}', 'a://b?').params).toEqual({ path: 'b' });
    expect(matchTemplate('a://r{/n}{?q}', 'a://r/5?q=1').params).toEqual({ n: '5', q: '1' });
    expect(matchTemplate('a://r{/n}{?q}', 'a://r?q=1').params).toEqual({ q: '1' });
  });

  it('is part of the value of a rest if the template has no query', () => {
    expect(matchTemplate('a://{+path}', 'a://b?q=1').params).toEqual({ path: 'b?q=1' });
  });
});

describe('an optional tail', () => {
  it('is omitted when empty', () => {
    expect(matchTemplate('a://recent{/n}', 'a://recent/')).toMatchObject({ params: {}, canonical: 'a://recent' });
  });

  it('cannot follow a missing one, because their URIs would be the same', () => {
    const template = new UriTemplate('a://r{/x}{/y}');
    for (const params of [{ y: 'b' }, { x: '', y: 'b' }, { x: undefined, y: 'b' }]) {
      expect(() => template.expand(params)).toThrow('needs a value for "x"');
    }
    expect(template.expand({ x: '', y: '' })).toBe('a://r');
    expect(matchTemplate('a://r{/x}{/y}', 'a://r//')).toMatchObject({ params: {}, canonical: 'a://r' });
    expect(matchTemplate('a://r{/x}{/y}', 'a://r/a/')).toMatchObject({ params: { x: 'a' }, canonical: 'a://r/a' });
    expect(() => matchTemplate('a://r{/x}{/y}', 'a://r//b')).toThrow('No such resource');
  });

  it('is not taken from Object.prototype', () => {
    expect(new UriTemplate('a://x{/constructor}').expand({})).toBe('a://x');
  });
});

describe('a variable', () => {
  it('is exactly one segment', () => {
    expect(() => matchTemplate('any://{x}', 'any://a/b')).toThrow(LiveError);
    expect(() => matchTemplate('any://{x}/c', 'any://a')).toThrow(LiveError);
  });

  it('does not match query and fragment', () => {
    for (const uri of ['any://a?b', 'any://a#b']) expect(() => matchTemplate('any://{x}', uri)).toThrow(LiveError);
  });

  it('gives its name and kind to the parameter type', () => {
    expectTypeOf<Params<'a://{x}/b/{y}'>>().toEqualTypeOf<{ x: string; y: string }>();
    expectTypeOf<Params<'a://{x}/{+path}'>>().toEqualTypeOf<{ x: string; path: string }>();
    expectTypeOf<Params<'a://recent{/n}'>>().toEqualTypeOf<{ n?: string }>();
    expectTypeOf<Params<'a://{x}.json{?q,page}'>>().toEqualTypeOf<{ x: string; q?: string; page?: string }>();
    expectTypeOf<Params<string>>().toEqualTypeOf<Readonly<Record<string, string | undefined>>>();
  });
});

describe('a malformed URI', () => {
  const codeOf = (uri: string) => {
    try {
      matchTemplate('any://{x}', uri);
      return 'matched';
    } catch (error) {
      return error instanceof LiveError ? error.code : error;
    }
  };

  it.each(['any://%zz', 'any://%', 'any://%C3%28', 'other://x', 'no scheme', '', '://x', 'any://a\nb'])(
    '%j is INVALID_URI',
    (uri) => {
      expect(codeOf(uri)).toBe('INVALID_URI');
    },
  );

  it('on an unknown path is RESOURCE_NOT_FOUND', () => {
    expect(codeOf('any://a/b')).toBe('RESOURCE_NOT_FOUND');
  });
});

describe('an invalid template', () => {
  /** The errors of the compiler, beside thrown ones: an invalid template has both. */
  const refused = <const T extends string>(
    template: T,
    _type: NoInfer<Supported<T> extends T ? never : Supported<T>>,
  ) => template;

  it.each([
    [refused('/x/{y}', 'A template starts with a scheme, as in notes://{name}'), 'must start with a scheme'],
    [refused('{s}://x', 'A template starts with a scheme, as in notes://{name}'), 'must start with a scheme'],
    [refused('a://{x}{y}', '{y} is the second variable of its segment'), 'has two variables'],
    [refused('a://{x}.{y}', '{y} is the second variable of its segment'), 'has two variables'],
    [
      refused('a://{#x}', '{#x} is not supported: write {name}, {+rest}, {/optional} or {?a,b}'),
      '{#x} is not supported',
    ],
    [refused('a://{x,y}', '{x,y} is not supported: write {name}, {+rest}, {/optional} or {?a,b}'), '{x,y} is not'],
    [
      refused('a://{__proto__}', '{__proto__} is not supported: write {name}, {+rest}, {/optional} or {?a,b}'),
      '{__proto__} is not',
    ],
    [refused('a://{x*}', '{x*} is not supported: write {name}, {+rest}, {/optional} or {?a,b}'), '{x*} is not'],
    [refused('a://{x:3}', '{x:3} is not supported: write {name}, {+rest}, {/optional} or {?a,b}'), '{x:3} is not'],
    [refused('a://{?x*}', '{?x*} is not supported: write {name}, {+rest}, {/optional} or {?a,b}'), '{?x*} is not'],
    [refused('a://s{?x}{&y}', '{?x} must come last'), '{?x} must come last'],
    [refused('a://s{?x}/y', '{?x} must come last'), '{?x} must come last'],
    [refused('a://{+x}/y', '{+x} must come last'), '{+x} must come last'],
    [refused('a://pre{+x}', '{+x} must be a whole segment'), '{+x} must be a whole segment'],
    [refused('a://x{/y}/z', 'only optional segments can follow {/y}'), 'only optional segments can follow {/y}'],
    [refused('a://x{/y}.json', 'only optional segments can follow {/y}'), '{/y} must be a whole segment'],
    [refused('a://{x}/{x}', '{x} is there twice'), 'names {x} twice'],
    [refused('a://{x}{?q,x}', '{x} is there twice'), 'names {x} twice'],
    [refused('a://{x', 'A template has a { without its }'), 'a brace has no counterpart'],
    [refused('a://x}', 'A template has a } without its {'), 'a brace has no counterpart'],
    [refused('a://x?y=1{?q}', 'A query is written either as it is or as {?a,b}, not as both'), 'not as both'],
    [
      refused('a://{x}?y=1', 'there is a query or fragment beside {x}: write a query as {?a,b}'),
      'has a query or fragment beside a variable',
    ],
  ])('is refused at definition, and a type error: %s', (template, message) => {
    expect(() => new UriTemplate(template)).toThrow(TypeError);
    expect(() => new UriTemplate(template)).toThrow(message);
  });

  it('is not confused with valid ones', () => {
    const accepted = <const T extends string>(_template: Supported<T>) => undefined;
    accepted('a://x');
    accepted('urn:{x}');
    accepted('a://{x}/v{y}.json/{z}{/o}{/p}{?q,page}');
    accepted('a://x/{+rest}{?q}');
    accepted('a://x?y=1#z');
    accepted('a://anything' satisfies string as string);
  });
});

it('a malformed escape is refused as a programming error', () => {
  expect(() => new UriTemplate('a://%zz/{x}')).toThrow(TypeError);
  expect(() => new UriTemplate('a://%zz/{x}')).toThrow('"%zz" has a malformed percent-escape');
});

it('refuses to expand without a value, and half a surrogate pair', () => {
  expect(() => new UriTemplate('a://{x}').expand({})).toThrow('needs a value for "x"');
  expect(() => new UriTemplate('a://{x}').expand({ x: '\ud800' })).toThrow(LiveError);
});
