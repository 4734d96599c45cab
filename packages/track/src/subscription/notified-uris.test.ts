import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotifiedUris, canonicalSpelling } from './notified-uris.ts';

function finder(...wanted: string[]): (notified: string) => string[] {
  const set = new Set(wanted);
  const uris = new NotifiedUris((uri) => set.has(uri));
  for (const uri of wanted) uris.add(uri);
  return (notified) => uris.find(notified);
}

describe('a notified URI', () => {
  it.each([
    ['raw://r/1', 'raw://r/1'],
    ['raw://r/1', 'RAW://r/1'],
    ['RAW://r/1', 'raw://r/1'],
    ['raw://r/1', 'raw://r/%31'],
    ['raw://r/%31', 'raw://r/1'],
    ['raw://r/a b', 'raw://r/a%20b'],
    ['raw://r/%c3%a9', 'raw://r/\u00e9'],
    ['raw://r/\u00e9', 'raw://r/e\u0301'],
    ['raw://R/1', 'raw://r/1'],
    ['raw://r/1', 'raw://R/1'],
    ['raw://r/a%2fb', 'raw://r/a%2Fb'],
    ['mailto:a@b', 'MAILTO:a@b'],
  ])('concerns %s when it is spelled %s', (wanted, notified) => {
    expect(finder(wanted, 'raw://other')(notified)).toEqual([wanted]);
  });

  it.each([
    ['raw://r/1', 'raw://r/1/part'],
    ['raw://r/1', 'RAW://r/1/a/b/c'],
    ['raw://r/1', 'raw://r/1?page=2'],
    ['raw://r/1', 'raw://r/1#top'],
    ['raw://r/1?page=2', 'raw://r/1?page=2#top'],
    ['file:///folder/', 'file:///folder/a.txt'],
    ['file:///folder', 'file:///folder/a.txt'],
    ['raw://r', 'raw://r/1/2'],
  ])('concerns %s if it is its sub-resource %s', (wanted, notified) => {
    expect(finder(wanted, 'raw://other')(notified)).toEqual([wanted]);
  });

  it.each([
    ['raw://r/1', 'raw://r/10'],
    ['raw://r/1', 'raw://r'],
    ['raw://r/1', 'raw://r/2'],
    ['raw://r/1', 'other://r/1'],
    ['raw://r/a%2Fb', 'raw://r/a/b'],
    ['raw://r/1', 'not a URI'],
    ['raw://r/1', ''],
  ])('does not concern %s if it is %s', (wanted, notified) => {
    expect(finder(wanted)(notified)).toEqual([]);
  });

  it('concerns every wanted spelling, and only the nearest parent of a sub-resource', () => {
    const find = finder('raw://r/1', 'RAW://r/1', 'raw://r/%31', 'raw://r', 'note://A', 'note://a');
    expect(find('raw://r/1').toSorted()).toEqual(['RAW://r/1', 'raw://r/%31', 'raw://r/1']);
    expect(find('raw://r/1/part').toSorted()).toEqual(['RAW://r/1', 'raw://r/%31', 'raw://r/1']);
    expect(find('raw://r/2')).toEqual(['raw://r']);
    // Names in the place of a host may differ in case.
    expect(find('note://A')).toEqual(['note://A']);
  });

  it('matches no unwanted resource', () => {
    const wanted = new Set(['RAW://r/1']);
    const uris = new NotifiedUris((uri) => wanted.has(uri));
    uris.add('RAW://r/1');
    expect(uris.find('raw://r/1')).toEqual(['RAW://r/1']);
    wanted.delete('RAW://r/1');
    uris.delete('RAW://r/1');
    expect(uris.find('raw://r/1')).toEqual([]);
  });

  it('has one plain spelling', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.webUrl({ withFragments: true })), (uri) => {
        expect(canonicalSpelling(canonicalSpelling(uri))).toBe(canonicalSpelling(uri));
      }),
    );
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        expect(finder(`raw://r${path}`)(`RAW://r${path}`)).toEqual([`raw://r${path}`]);
      }),
    );
  });
});
