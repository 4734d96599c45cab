import { describe, expect, it } from 'vitest';
import type { ShownContent } from '../hub/contents.ts';
import { KnownVersions } from './versions.ts';

const content = (text: string): ShownContent => ({ type: 'text/plain', text, bytes: text.length, etag: `"${text}"` });

describe('the known versions of a resource', () => {
  it('are the current one and the previous one', () => {
    const versions = new KnownVersions();
    versions.add('a', content('1'), 10);
    versions.add('a', content('2'), 20);
    expect(versions.add('a', content('3'), 30)).toEqual({
      current: content('3'),
      currentAt: 30,
      previous: content('2'),
    });
  });

  it('do not change with identical content', () => {
    const versions = new KnownVersions();
    const first = versions.add('a', content('1'), 10);
    expect(versions.add('a', content('1'), 20)).toBe(first);
  });

  it('are kept for the hundred resources that were read last', () => {
    const versions = new KnownVersions();
    versions.add('first', content('1'), 1);
    versions.add('second', content('1'), 1);
    for (let n = 0; n < 98; n += 1) versions.add(`n${n}`, content('1'), 1);
    versions.add('first', content('1'), 2);
    versions.add('new', content('1'), 2);
    expect([versions.get('first') !== undefined, versions.get('second')]).toEqual([true, undefined]);
  });
});
