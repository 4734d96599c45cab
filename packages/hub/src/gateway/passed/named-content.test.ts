import { describe, expect, it } from 'vitest';
import { namedContent } from './named-content.ts';

const nameOf = (uri: string) => (uri === 'note://secret' ? undefined : `tidings://notes/${encodeURIComponent(uri)}`);

describe('the content of a result', () => {
  it('refers to resources by their URI at the hub', () => {
    const link = { type: 'resource_link', uri: 'note://1', name: 'one' } as const;
    expect(namedContent(link, nameOf)).toEqual({ ...link, uri: 'tidings://notes/note%3A%2F%2F1' });
    const resource = { uri: 'note://1', text: 'see note://1' };
    expect(namedContent({ type: 'resource', resource }, nameOf)).toEqual({
      type: 'resource',
      resource: { uri: 'tidings://notes/note%3A%2F%2F1', text: 'see note://1' },
    });
  });

  it('contains only resources that the caller may read', () => {
    expect(namedContent({ type: 'resource_link', uri: 'note://secret', name: 's' }, nameOf)).toBeUndefined();
    expect(namedContent({ type: 'resource', resource: { uri: 'note://secret', text: 's' } }, nameOf)).toBeUndefined();
  });

  it('is unchanged otherwise', () => {
    const text = { type: 'text', text: 'note://secret' } as const;
    expect(namedContent(text, nameOf)).toBe(text);
  });
});
