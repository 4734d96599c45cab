import type { Catalog } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { ServedUris } from './served-uris.ts';

function claims(uris: string[], templates: string[] = []): ServedUris {
  const catalog: Catalog = {
    resources: new Map(uris.map((uri) => [uri, { uri, name: uri }])),
    templates: templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
    missing: '',
    digest: '',
  };
  return new ServedUris(catalog);
}

describe('a server claims', () => {
  it('the URIs that it lists, and no other of their scheme', () => {
    const notes = claims(['note://a']);
    expect(notes.serves('note://a')).toBe(true);
    expect(notes.serves('note://b')).toBe(false);
    expect(notes.hasScheme('note:')).toBe(true);
  });

  it('what its templates match, again and again', () => {
    const notes = claims([], ['note://{id}']);
    for (const _ of [1, 2]) {
      expect(notes.serves('note://a')).toBe(true);
      expect(notes.serves('note://a/b')).toBe(false);
      expect(notes.serves('other://a')).toBe(false);
    }
  });

  it('the schemes of its resources and of its templates, but not the missing one', () => {
    const both = claims(['note://a', 'no scheme'], ['file:///{+path}']);
    expect(['note:', 'file:', 'other:', ''].map((scheme) => both.hasScheme(scheme))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('another template if its own match everything that one matches', () => {
    const notes = claims([], ['note://{+path}']);
    expect(notes.servesAllOf('note://{id}')).toBe(true);
    expect(notes.servesAllOf('other://{id}')).toBe(false);
    expect(claims([], ['note://{id}']).servesAllOf('note://{+path}')).toBe(false);
    expect(notes.hasTemplate('note://{+path}')).toBe(true);
    expect(notes.hasTemplate('note://{id}')).toBe(false);
  });
});
