import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalSpelling } from './canonical-spelling.ts';
import { WantedUris } from './wanted-uris.ts';

function sources(listed: readonly string[] | undefined, ...watched: string[]) {
  const uris = new Set(watched);
  return {
    listed: listed && new Map(listed.map((uri) => [uri, {}])),
    watched: { has: (uri: string) => uris.has(uri), uris },
  };
}

function finder(...uris: string[]): (notified: string) => string[] {
  const wanted = new WantedUris();
  wanted.update(sources(undefined, ...uris));
  return (notified) => wanted.concernedBy(notified);
}

describe('the set of wanted URIs', () => {
  it('is compared as a whole the first time', () => {
    const wanted = new WantedUris();
    expect(wanted.update(sources(['a', 'b'], 'c'))).toEqual({ added: ['a', 'b', 'c'], removed: [], isWhole: true });
    expect([...wanted.uris]).toEqual(['a', 'b', 'c']);
  });

  it('is compared for touched URIs only', () => {
    const wanted = new WantedUris();
    wanted.update(sources(['a'], 'b'));
    for (const uri of ['a', 'b', 'c', 'd']) wanted.touch(uri);
    expect(wanted.update(sources(['a'], 'c'))).toEqual({ added: ['c'], removed: ['b'], isWhole: false });
    expect(wanted.update(sources(['a', 'unheard of'], 'c'))).toEqual({ added: [], removed: [], isWhole: false });
  });

  it('forgets touched URIs when everything is compared', () => {
    const wanted = new WantedUris();
    wanted.update(sources(undefined, 'a'));
    wanted.touch('b');
    wanted.touchAll();
    wanted.touch('c');
    expect(wanted.update(sources(undefined))).toEqual({ added: [], removed: ['a'], isWhole: true });
    expect(wanted.update(sources(undefined, 'b', 'c'))).toEqual({ added: [], removed: [], isWhole: false });
  });
});

describe('a listed URI', () => {
  it.each([
    ['raw://r/1', 'RAW://r/1'],
    ['raw://r/%31', 'raw://r/1'],
    ['raw://R/1', 'raw://r/1'],
    ['raw://r/1', 'raw://R/1'],
  ])('has the wanted spelling %s when it is listed as %s', (spelling, listed) => {
    const wanted = new WantedUris();
    wanted.update(sources(undefined, spelling, 'raw://r/2'));
    expect(wanted.spellingsOf(listed)).toEqual([spelling]);
  });

  it('is not a wanted resource of which it is a part', () => {
    const wanted = new WantedUris();
    wanted.update(sources(undefined, 'raw://r', 'raw://r/1', 'RAW://r/1'));
    expect(wanted.spellingsOf('raw://r/2')).toEqual([]);
    expect(wanted.spellingsOf('raw://r/%31')).toEqual(['raw://r/1', 'RAW://r/1']);
  });
});

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

  it('concerns no resource that is not wanted any more', () => {
    const wanted = new WantedUris();
    wanted.update(sources(undefined, 'RAW://r/1'));
    expect(wanted.concernedBy('raw://r/1')).toEqual(['RAW://r/1']);
    wanted.touch('RAW://r/1');
    wanted.update(sources(undefined));
    expect(wanted.concernedBy('raw://r/1')).toEqual([]);
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
