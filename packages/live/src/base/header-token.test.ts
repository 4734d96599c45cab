import { expect, it } from 'vitest';
import { bearerTokenOf, isHeaderToken } from './header-token.ts';

it.each([
  ['Bearer abc', 'abc'],
  ['bearer a b', 'a b'],
  ['Bearer ', undefined],
  ['Basic abc', undefined],
  ['abc', undefined],
  [undefined, undefined],
])('the token of "%s" is %s', (authorization, token) => {
  expect(bearerTokenOf({ headers: { authorization } })).toBe(token);
});

it('a header carries visible ASCII characters', () => {
  expect(isHeaderToken('aZ09-._~+/=!')).toBe(true);
  for (const wrong of ['', 'a b', 'é', 'a\n', 'a\u0000']) expect(isHeaderToken(wrong), wrong).toBe(false);
});
