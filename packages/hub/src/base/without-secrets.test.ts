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

// A client chooses these texts, and may send megabytes: twice as much may take twice as long, not four times.
it.each([':', '%25', '?', '?k', '&token', '://', '://a:', '@', '=', '?a='])(
  'takes no time over "%s" a million times',
  (part) => {
    const started = performance.now();
    withoutSecretsInUri(`x://${part.repeat(1_000_000 / part.length)}`);
    expect(performance.now() - started).toBeLessThan(1000);
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
