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
  it('the URIs that it lists, and no others with their scheme', () => {
    const notes = claims(['note://a']);
    expect(notes.serves('note://a')).toBe(true);
    expect(notes.serves('note://b')).toBe(false);
    expect(notes.hasScheme('note:')).toBe(true);
  });

  it('the URIs that its templates match, at every call', () => {
    const notes = claims([], ['note://{id}']);
    for (const _ of [1, 2]) {
      expect(notes.serves('note://a')).toBe(true);
      expect(notes.serves('note://a/b')).toBe(false);
      expect(notes.serves('other://a')).toBe(false);
    }
  });

  it('the schemes of its resources and templates, without a missing one', () => {
    const both = claims(['note://a', 'no scheme'], ['file:///{+path}']);
    expect(['note:', 'file:', 'other:', ''].map((scheme) => both.hasScheme(scheme))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('a template of another server if its own templates match all of its URIs', () => {
    const notes = claims([], ['note://{+path}']);
    expect(notes.servesAllOf('note://{id}')).toBe(true);
    expect(notes.servesAllOf('other://{id}')).toBe(false);
    expect(claims([], ['note://{id}']).servesAllOf('note://{+path}')).toBe(false);
    expect(notes.hasTemplate('note://{+path}')).toBe(true);
    expect(notes.hasTemplate('note://{id}')).toBe(false);
  });
});
