import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Versions } from './versions.ts';

const content = (hash: string, bytes = 10) => ({
  hash,
  bytes,
  memory: bytes * 2,
  readAt: 0,
  contents: [{ uri: 'a://b', text: hash }],
});
const hashes = (versions: Versions, key: string) => versions.of(key).map(({ hash }) => hash);

describe('versions', () => {
  it('are kept in order, without repetitions', () => {
    const versions = new Versions({ count: 3, bytes: 1_000_000 });
    for (const hash of ['a', 'a', 'b', 'a']) versions.add('x', content(hash));
    expect(hashes(versions, 'x')).toEqual(['a', 'b', 'a']);
    versions.add('x', content('c'));
    expect(versions.of('x').map(({ number, hash }) => [number, hash])).toEqual([
      [2, 'b'],
      [3, 'a'],
      [4, 'c'],
    ]);
  });

  it('of the resource that changed longest ago are dropped first', () => {
    const versions = new Versions({ count: 20, bytes: 4160 });
    for (const hash of ['a', 'b', 'c']) versions.add('old', content(hash));
    for (const hash of ['a', 'b']) versions.add('other', content(hash));
    for (const hash of ['a', 'b', 'c', 'd']) versions.add('new', content(hash));
    expect(hashes(versions, 'old')).toEqual(['b', 'c']);
    expect(hashes(versions, 'other')).toEqual(['a', 'b']);
    expect(hashes(versions, 'new')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are not kept of a content that would take too large a share', () => {
    const versions = new Versions({ count: 20, bytes: 80_000 });
    versions.add('x', content('a', 10_000));
    expect(hashes(versions, 'x')).toEqual([]);
  });

  it('of large contents are fewer, and leave room for other resources', () => {
    const versions = new Versions({ count: 20, bytes: 80_000 });
    versions.add('small', content('first'));
    for (const hash of ['a', 'b', 'c', 'd', 'e']) versions.add('x', content(hash, 9000));
    expect(hashes(versions, 'x')).toEqual(['d', 'e']);
    expect(hashes(versions, 'small')).toEqual(['first']);
  });

  it('are dropped when other bounds are set, and none are kept with a count of 0', () => {
    const versions = new Versions({ count: 20, bytes: 1_000_000 });
    for (const hash of ['a', 'b', 'c']) versions.add('x', content(hash));
    versions.bound({ count: 1, bytes: 1_000_000 });
    expect(hashes(versions, 'x')).toEqual(['c']);
    versions.bound({ count: 0, bytes: 1_000_000 });
    expect(hashes(versions, 'x')).toEqual([]);
    versions.add('x', content('d'));
    expect(versions.bytes).toBe(0);
  });

  it('stay within their bounds, and count their bytes', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), hash: fc.string(), bytes: fc.nat(400) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const versions = new Versions({ count: 4, bytes: 12_000 });
        for (const { key, hash, bytes } of steps) {
          versions.add(key, content(hash, bytes));
          const held = ['a', 'b', 'c'].flatMap((each) => versions.of(each));
          expect(versions.bytes).toBe(held.reduce((sum, each) => sum + 500 + each.bytes * 2, 0));
          expect(versions.bytes).toBeLessThanOrEqual(12_000);
          for (const each of ['a', 'b', 'c']) expect(versions.of(each).length).toBeLessThanOrEqual(4);
        }
      }),
    );
  });
});
