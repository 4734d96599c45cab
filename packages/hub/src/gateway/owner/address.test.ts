import { describe, expect, it } from 'vitest';
import { addressOf, addressTemplateOf, parseAddress } from './address.ts';

describe('an address', () => {
  it.each(['note://today', 'a://b/c?d=e#f', 'note://grün/ 100%', 'note://日本'])('decodes to %s', (uri) => {
    expect(parseAddress(addressOf({ serverId: 'notes', uri }))).toEqual({ serverId: 'notes', uri });
  });

  it('can be made of a URI that cannot be encoded', () => {
    expect(parseAddress(addressOf({ serverId: 'notes', uri: 'note://\uD800' }))?.uri).toBe('note://\uFFFD');
  });

  it('may contain an unencoded URI, as from an expanded template', () => {
    const template = addressTemplateOf({ serverId: 'notes', uri: 'note://{name}' });
    expect(template).toBe('tidings://notes/note://{name}');
    expect(parseAddress(template.replace('{name}', 'a%2Fb'))).toEqual({ serverId: 'notes', uri: 'note://a%2Fb' });
  });

  it('is recognised in any case of its scheme; other URIs are not', () => {
    expect(parseAddress('TIDINGS://notes/note%3A%2F%2F1')).toEqual({ serverId: 'notes', uri: 'note://1' });
    expect(parseAddress('note://tidings')).toBeUndefined();
  });

  it.each(['tidings://', 'tidings://notes', 'tidings://notes/', 'tidings://notes/%E0%A4%A'])(
    '%s is refused',
    (text) => {
      expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'INVALID_URI', uri: text }));
    },
  );
});
