import { expect, it } from 'vitest';
import { withoutSecrets, withoutSecretsInUri } from './without-secrets.ts';

it("omits members with a secret's name at any depth", () => {
  const given = {
    query: 'refund',
    password: 'hunter2',
    api_key: 'k',
    nested: [{ Authorization: 'Bearer x', url: 'https://me:hunter2@host/x?access_token=t&page=2' }],
  };
  expect(withoutSecrets(given)).toEqual({
    query: 'refund',
    password: '…',
    api_key: '…',
    nested: [{ Authorization: '…', url: 'https://me:…@host/x?access_token=…&page=2' }],
  });
});

it('limits length, width and depth', () => {
  let deep: unknown = 'x'.repeat(10_000);
  for (let level = 0; level < 20; level += 1) deep = { deep };
  expect(JSON.stringify(withoutSecrets(deep)).length).toBeLessThan(200);
  expect(JSON.stringify(withoutSecrets(Array.from({ length: 1000 }, () => 'x'.repeat(1000)))).length).toBeLessThan(
    30_000,
  );
});

it.each([
  ['https://me:p@ss@host/x', 'https://me:…@host/x'],
  ['x://a/b?page=1&sig=abc#c', 'x://a/b?page=1&sig=…#c'],
  ['x://a/b#access_token=t&state=s', 'x://a/b#access_token=…&state=s'],
  ['x://a/b??token=t', 'x://a/b??token=…'],
  ['x://a/b;token=t;v=1', 'x://a/b;token=…;v=1'],
  ['x://a/b?%74oken=t', 'x://a/b?token=…'],
  ['https://ghp_0123456789abcdef@host/x', 'https://…@host/x'],
  [`tidings://s/${encodeURIComponent('https://me:pass@host/?sig=abc')}`, 'tidings://s/https://me:…@host/?sig=…'],
  [`x://a?u=${encodeURIComponent(encodeURIComponent('https://me:pass@host/'))}`, 'x://a?u=https://me:…@host/'],
  ['x://a/%zz?next=https%3A%2F%2Fme%3Apass%40host', 'x://a/%zz?next=https://me:…@host'],
])('%s becomes %s', (uri, kept) => {
  expect(withoutSecretsInUri(uri)).toBe(kept);
});

/** The shortest of some runs, since a busy machine makes single runs longer. */
function millisecondsFor(text: string): number {
  const runs = Array.from({ length: 5 }, () => {
    const began = performance.now();
    withoutSecretsInUri(text);
    return performance.now() - began;
  });
  return Math.min(...runs);
}

// A client chooses these texts, and may send megabytes. Fifty times the text takes about fifty times as long, or several
// times that on a busy machine; time that grows with the square would be 2500 times as long.
it.each([':', '%25', '?', '?k', '&token', '://', '://a:', '@', '=', '?a='])(
  'takes time in proportion to the length of a URI with "%s" many times',
  (part) => {
    const uriOf = (length: number) => `x://${part.repeat(length / part.length)}`;
    const short = Math.max(0.1, millisecondsFor(uriOf(20_000)));
    expect(millisecondsFor(uriOf(1_000_000)) / short).toBeLessThan(1000);
  },
);

it.each([
  'note://a',
  'vcon://v1/vcons/recent/10',
  'tidings://notes/note%3A%2F%2Fa',
  'x://a:b/c@d',
  'ssh://git@host/%2Fa',
])('%s is unchanged', (uri) => {
  expect(withoutSecretsInUri(uri)).toBe(uri);
});
