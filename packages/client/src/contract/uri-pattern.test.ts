import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PatternPart, patternParts, uriPattern } from './uri-pattern.ts';

it('matches anything with two stars, anything without a slash with one, and other characters literally', () => {
  const matches = (pattern: string, uri: string) => uriPattern(pattern).test(uri);
  expect(matches('note://a', 'note://a')).toBe(true);
  expect(matches('note://a', 'note://ab')).toBe(false);
  expect(matches('note://a', 'a note://a')).toBe(false);
  expect(matches('note://*', 'note://')).toBe(true);
  expect(matches('note://*', 'note://a\nb')).toBe(true);
  expect(matches('note://*', 'note://a/b')).toBe(false);
  expect(matches('note://*/b', 'note://a/b')).toBe(true);
  expect(matches('note://**', 'note://a/b')).toBe(true);
  expect(matches('**/b', 'note://a/b')).toBe(true);
  expect(matches('**/*a*b', 'note://x/cab/ab')).toBe(true);
  expect(matches('**/*a*b', 'note://x/ca/b')).toBe(false);
  expect(matches('***', 'note://a/b')).toBe(true);
  expect(matches('n.te://[a]?', 'n.te://[a]?')).toBe(true);
  expect(matches('n.te://a', 'note://a')).toBe(false);
  expect(matches('', '')).toBe(true);
  expect(matches('', 'a')).toBe(false);
});

it('matches a pattern of many stars quickly', () => {
  const uri = `note://${'a'.repeat(2000)}`;
  expect(uriPattern(`${'**a*a'.repeat(50)}b`).test(uri)).toBe(false);
  expect(uriPattern('**a*a'.repeat(50)).test(uri)).toBe(true);
});

it('agrees with a search through every division of a URI', () => {
  const text = (...letters: string[]) =>
    fc.array(fc.constantFrom(...letters), { maxLength: 10 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text('a', 'b', '/', 'ab', 'a/', '*', '*', '**'), text('a', 'b', '/', 'ab'), (pattern, uri) => {
      expect(uriPattern(pattern).test(uri)).toBe(isMatch(patternParts(pattern), uri));
    }),
    { numRuns: 2000 },
  );
});

function isMatch([part, ...rest]: readonly PatternPart[], uri: string): boolean {
  if (part === undefined) return uri === '';
  if ('literal' in part) return uri.startsWith(part.literal) && isMatch(rest, uri.slice(part.literal.length));
  const first = uri[0];
  const mayTakeMore = first !== undefined && (part.wildcard === '**' || first !== '/');
  return isMatch(rest, uri) || (mayTakeMore && isMatch([part, ...rest], uri.slice(1)));
}
