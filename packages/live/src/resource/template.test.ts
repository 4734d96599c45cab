import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { LiveError } from '../base/error.ts';
import { RouteTable } from './route-table.ts';
import type { Params, Supported } from './template-params.ts';
import { UriTemplate } from './template.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    ' ',
    '/',
    '//',
    '%',
    '%41',
    '%2F',
    '?',
    '#',
    'a?b#c',
    '..',
    '.',
    '🎬',
    'é',
    'e\u0301',
    "!'()*",
    '{x}',
    '+',
    '\u0000',
  ),
);

/** Values of every form. */
const anyTemplate = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.constantFrom('a', 'b.c', '', 'caf%C3%A9', 'a:b@c'),
        fc.tuple(fc.constantFrom('', 'v', '.', '%'), fc.constantFrom('', '.json', '-', 'é')),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    fc.constantFrom('', '{/o}', '{/o}{/p}', '/{+rest}'),
    fc.constantFrom('', '{?q}', '{?q,page}'),
  )
  .map(([segments, tail, query]) => {
    const path = segments.map((each, index) =>
      typeof each === 'string' ? each : `${each[0].replace('%', '%25')}{x${index}}${each[1]}`,
    );
    return `any://${path.join('/')}${tail}${query}`;
  });

function match(template: string, uri: string) {
  const table = new RouteTable<string>();
  table.add(new UriTemplate(template), template);
  return table.match(uri);
}

describe('round trip', () => {
  it('returns every string of a segment', () => {
    fc.assert(
      fc.property(anyText, anyText, (x, y) => {
        const template = new UriTemplate('any://{x}/fixed/{y}');
        expect(match(template.text, template.expand({ x, y })).params).toEqual({ x, y });
      }),
      { numRuns: 2000 },
    );
  });

  it('returns every string of the rest', () => {
    fc.assert(
      fc.property(anyText, anyText, (x, path) => {
        const template = new UriTemplate('any://{x}/{+path}');
        expect(match(template.text, template.expand({ x, path })).params).toEqual({ x, path });
      }),
      { numRuns: 2000 },
    );
  });

  it('returns an optional tail, or its absence', () => {
    fc.assert(
      fc.property(fc.option(anyText, { nil: undefined }), (n) => {
        const template = new UriTemplate('any://recent{/n}');
        const params = n === undefined ? {} : { n };
        // An empty optional segment counts as absent.
        expect(match(template.text, template.expand(params)).params).toEqual(n === '' ? {} : params);
      }),
    );
  });

  it('returns values next to literals in a segment', () => {
    fc.assert(
      fc.property(anyText, anyText, (x, y) => {
        const template = new UriTemplate('any://v{x}/{y}.tar.gz');
        expect(match(template.text, template.expand({ x, y })).params).toEqual({ x, y });
      }),
      { numRuns: 2000 },
    );
  });

  it('restores a query, and its missing variables', () => {
    const value = fc.option(anyText, { nil: undefined });
    fc.assert(
      fc.property(anyText, value, value, (x, q, page) => {
        const template = new UriTemplate('any://{x}{?q,page}');
        const params = { x, ...(q !== undefined && { q }), ...(page !== undefined && { page }) };
        expect(match(template.text, template.expand(params)).params).toEqual(params);
      }),
      { numRuns: 2000 },
    );
  });

  it('works for every accepted template, in any spelling', () => {
    fc.assert(
      fc.property(
        anyTemplate,
        anyText,
        fc.infiniteStream(anyText),
        fc.infiniteStream(fc.boolean()),
        (text, ...rest) => {
          const [last, values, choices] = rest;
          const template = new UriTemplate(text);
          const take = <T>(stream: fc.Stream<T>, otherwise: T) => [...stream.take(1)][0] ?? otherwise;
          const params: Record<string, string> = {};
          for (const name of template.names) {
            // An empty optional segment counts as absent.
            if (template.isOptional(name) && take(choices, true)) break;
            params[name] = take(values, last) || (template.isOptional(name) ? 'x' : '');
          }
          const uri = template.expand(params);
          expect(match(text, uri)).toMatchObject({ params, canonical: uri });
          const respelled = uri.replaceAll(/(?<=^[^:]*:.*)[A-Za-z]|%../g, (character) => {
            if (!take(choices, false)) return character;
            return character.startsWith('%') ? character.toLowerCase() : `%${character.charCodeAt(0).toString(16)}`;
          });
          expect(match(text, respelled).canonical).toBe(uri);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('has one canonical spelling for all inputs', () => {
    const spellings = [
      'any://caf%C3%A9%20noir',
      'ANY://caf%c3%a9%20noir',
      'any://café noir',
      'any://%63af%C3%A9%20noir',
    ];
    expect(spellings.map((uri) => match('any://{name}', uri).canonical)).toEqual(
      spellings.map(() => 'any://caf%C3%A9%20noir'),
    );
  });
});

describe('a literal', () => {
  it.each([
    'http://localhost:8080/status',
    'urn:isbn:0451450523',
    'mailto:me@example.com',
    'a://x?y=1#z',
    'a://caf%C3%A9',
  ])('%s keeps its spelling', (uri) => {
    expect(match(uri, uri).canonical).toBe(uri);
  });
});

describe('a variable beside literals', () => {
  it('matches the text between them, even if they occur in it', () => {
    expect(match('a://{x}.json', 'a://b.json.json').params).toEqual({ x: 'b.json' });
    expect(match('a://{x}.json', 'a://.json').params).toEqual({ x: '' });
    expect(match('a://ab{x}ba', 'a://abba').params).toEqual({ x: '' });
    expect(() => match('a://ab{x}ba', 'a://aba')).toThrow('No such resource');
    expect(() => match('a://{x}.json', 'a://b.jso')).toThrow('No such resource');
  });

  it('is found in any spelling of the literals', () => {
    expect(match('a://{x}.json', 'A://b%2ejs%6Fn')).toMatchObject({ params: { x: 'b' }, canonical: 'a://b.json' });
    expect(match('a://{x}%20é', 'a://b%20%c3%a9').canonical).toBe('a://b%20%C3%A9');
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
    expect(match('a://s{?q,page}', uri)).toMatchObject({ params, canonical });
  });

  it.each(['a://s?x=1', 'a://s?q=1&q=2', 'a://s?q=1#f', 'a://s#f', 'a://s/?q=1'])('cannot be that of %s', (uri) => {
    expect(() => match('a://s{?q,page}', uri)).toThrow('No such resource');
  });

  it('ends the rest and an optional segment', () => {
    expect(match('a://{+path}{?q}', 'a://b/c?q=d/e').params).toEqual({ path: 'b/c', q: 'd/e' });
    expect(match('a://{+path}{?q}', 'a://b?').params).toEqual({ path: 'b' });
    expect(match('a://r{/n}{?q}', 'a://r/5?q=1').params).toEqual({ n: '5', q: '1' });
    expect(match('a://r{/n}{?q}', 'a://r?q=1').params).toEqual({ q: '1' });
  });

  it('is part of the value of a rest if the template has no query', () => {
    expect(match('a://{+path}', 'a://b?q=1').params).toEqual({ path: 'b?q=1' });
  });
});

describe('an optional tail', () => {
  it('is omitted when empty', () => {
    expect(match('a://recent{/n}', 'a://recent/')).toMatchObject({ params: {}, canonical: 'a://recent' });
  });

  it('cannot follow a missing one, because their URIs would be the same', () => {
    const template = new UriTemplate('a://r{/x}{/y}');
    for (const params of [{ y: 'b' }, { x: '', y: 'b' }, { x: undefined, y: 'b' }]) {
      expect(() => template.expand(params)).toThrow('needs a value for "x"');
    }
    expect(template.expand({ x: '', y: '' })).toBe('a://r');
    expect(match('a://r{/x}{/y}', 'a://r//')).toMatchObject({ params: {}, canonical: 'a://r' });
    expect(match('a://r{/x}{/y}', 'a://r/a/')).toMatchObject({ params: { x: 'a' }, canonical: 'a://r/a' });
    expect(() => match('a://r{/x}{/y}', 'a://r//b')).toThrow('No such resource');
  });

  it('is not taken from Object.prototype', () => {
    expect(new UriTemplate('a://x{/constructor}').expand({})).toBe('a://x');
  });
});

describe('a variable', () => {
  it('is exactly one segment', () => {
    expect(() => match('any://{x}', 'any://a/b')).toThrow(LiveError);
    expect(() => match('any://{x}/c', 'any://a')).toThrow(LiveError);
  });

  it('does not match query and fragment', () => {
    for (const uri of ['any://a?b', 'any://a#b']) expect(() => match('any://{x}', uri)).toThrow(LiveError);
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
      match('any://{x}', uri);
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
