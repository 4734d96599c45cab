import { describe, expect, it } from 'vitest';
import { WantedUris } from './wanted-uris.ts';

function sources(listed: readonly string[] | undefined, ...watched: string[]) {
  const uris = new Set(watched);
  return {
    listed: listed && new Map(listed.map((uri) => [uri, {}])),
    watched: { has: (uri: string) => uris.has(uri), uris },
  };
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
