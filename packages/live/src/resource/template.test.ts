import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { LiveError } from '../error.ts';
import { RouteTable } from './route-table.ts';
import { type Params, UriTemplate } from './template.ts';

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

function match(template: string, uri: string) {
  const table = new RouteTable<string>();
  table.add(new UriTemplate(template), template);
  return table.match(uri);
}

describe('round trip', () => {
  it('brings back every string from a segment', () => {
    fc.assert(
      fc.property(anyText, anyText, (x, y) => {
        const template = new UriTemplate('any://{x}/fixed/{y}');
        expect(match(template.text, template.expand({ x, y })).params).toEqual({ x, y });
      }),
      { numRuns: 2000 },
    );
  });

  it('brings back every string from the rest', () => {
    fc.assert(
      fc.property(anyText, anyText, (x, path) => {
        const template = new UriTemplate('any://{x}/{+path}');
        expect(match(template.text, template.expand({ x, path })).params).toEqual({ x, path });
      }),
      { numRuns: 2000 },
    );
  });

  it('brings back an optional tail, and its absence', () => {
    fc.assert(
      fc.property(fc.option(anyText, { nil: undefined }), (n) => {
        const template = new UriTemplate('any://recent{/n}');
        const params = n === undefined ? {} : { n };
        // An optional segment with nothing in it is not there.
        expect(match(template.text, template.expand(params)).params).toEqual(n === '' ? {} : params);
      }),
    );
  });

  it('has one canonical spelling, whatever was written', () => {
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

describe('an optional tail', () => {
  it('is not there when it is empty', () => {
    expect(match('a://recent{/n}', 'a://recent/')).toMatchObject({ params: {}, canonical: 'a://recent' });
  });

  it('cannot follow one that is missing: their URIs would be the same', () => {
    const template = new UriTemplate('a://r{/x}{/y}');
    for (const params of [{ y: 'b' }, { x: '', y: 'b' }, { x: undefined, y: 'b' }]) {
      expect(() => template.expand(params)).toThrow('needs a value for "x"');
    }
    expect(template.expand({ x: '', y: '' })).toBe('a://r');
    expect(match('a://r{/x}{/y}', 'a://r//')).toMatchObject({ params: {}, canonical: 'a://r' });
    expect(match('a://r{/x}{/y}', 'a://r/a/')).toMatchObject({ params: { x: 'a' }, canonical: 'a://r/a' });
    expect(() => match('a://r{/x}{/y}', 'a://r//b')).toThrow('No such resource');
  });

  it('is not what every object inherits', () => {
    expect(new UriTemplate('a://x{/constructor}').expand({})).toBe('a://x');
  });
});

describe('a variable', () => {
  it('is exactly one segment', () => {
    expect(() => match('any://{x}', 'any://a/b')).toThrow(LiveError);
    expect(() => match('any://{x}/c', 'any://a')).toThrow(LiveError);
  });

  it('leaves query and fragment alone', () => {
    for (const uri of ['any://a?b', 'any://a#b']) expect(() => match('any://{x}', uri)).toThrow(LiveError);
  });

  it('gives its name and kind to the parameter type', () => {
    expectTypeOf<Params<'a://{x}/b/{y}'>>().toEqualTypeOf<{ x: string; y: string }>();
    expectTypeOf<Params<'a://{x}/{+path}'>>().toEqualTypeOf<{ x: string; path: string }>();
    expectTypeOf<Params<'a://recent{/n}'>>().toEqualTypeOf<{ n?: string }>();
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

describe('a template that cannot work', () => {
  it.each([
    ['no scheme', '/x/{y}'],
    ['part of a segment', 'a://pre{x}'],
    ['two in a segment', 'a://{x}{y}'],
    ['an operator we do not have', 'a://{?x}'],
    ['a list', 'a://{x,y}'],
    ['the rest before the end', 'a://{+x}/y'],
    ['something after an optional segment', 'a://x{/y}/z'],
    ['a name twice', 'a://{x}/{x}'],
    ['an open brace', 'a://{x'],
  ])('is refused at definition: %s', (_why, template) => {
    expect(() => new UriTemplate(template)).toThrow(TypeError);
  });
});

it('refuses to expand without a value, and half a surrogate pair', () => {
  expect(() => new UriTemplate('a://{x}').expand({})).toThrow('needs a value for "x"');
  expect(() => new UriTemplate('a://{x}').expand({ x: '\ud800' })).toThrow(LiveError);
});
