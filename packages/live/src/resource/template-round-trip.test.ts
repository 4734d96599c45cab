// What a template expands to is parsed to the same values, whatever they are.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchTemplate } from '../testing/match-template.ts';
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
describe('round trip', () => {
  it('returns every string of a segment', () => {
    fc.assert(
      fc.property(anyText, anyText, (x, y) => {
        const template = new UriTemplate('any://{x}/fixed/{y}');
        expect(matchTemplate(template.text, template.expand({ x, y })).params).toEqual({ x, y });
      }),
      { numRuns: 2000 },
    );
  });

  it('returns every string of the rest', () => {
    fc.assert(
      fc.property(anyText, anyText, (x, path) => {
        const template = new UriTemplate('any://{x}/{+path}');
        expect(matchTemplate(template.text, template.expand({ x, path })).params).toEqual({ x, path });
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
        expect(matchTemplate(template.text, template.expand(params)).params).toEqual(n === '' ? {} : params);
      }),
    );
  });

  it('returns values next to literals in a segment', () => {
    fc.assert(
      fc.property(anyText, anyText, (x, y) => {
        const template = new UriTemplate('any://v{x}/{y}.tar.gz');
        expect(matchTemplate(template.text, template.expand({ x, y })).params).toEqual({ x, y });
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
        expect(matchTemplate(template.text, template.expand(params)).params).toEqual(params);
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
          expect(matchTemplate(text, uri)).toMatchObject({ params, canonical: uri });
          const respelled = uri.replaceAll(/(?<=^[^:]*:.*)[A-Za-z]|%../g, (character) => {
            if (!take(choices, false)) return character;
            return character.startsWith('%') ? character.toLowerCase() : `%${character.charCodeAt(0).toString(16)}`;
          });
          expect(matchTemplate(text, respelled).canonical).toBe(uri);
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
    expect(spellings.map((uri) => matchTemplate('any://{name}', uri).canonical)).toEqual(
      spellings.map(() => 'any://caf%C3%A9%20noir'),
    );
  });
});
