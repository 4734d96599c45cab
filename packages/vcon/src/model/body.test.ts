import { describe, expect, it } from 'vitest';
import { decodedBody, textsOf } from './body.ts';
import type { JsonObject } from './json.ts';

describe('the bytes of a body', () => {
  it.each([
    ['base64url', '-_-_', 'fbffbf'],
    ['base64url', '+/+/', 'fbffbf'],
    ['base64', '+/+/', 'fbffbf'],
    ['base64', 'aGk=', '6869'],
    ['base64url', 'aGk', '6869'],
    ['base64url', 'aG\r\nk', '6869'],
    ['base64url', '', ''],
  ])('in %s %j are %s', (encoding, body, hex) => {
    expect(decodedBody({ encoding, body })?.bytes.toString('hex')).toBe(hex);
  });

  it.each([
    { encoding: 'base64url', body: 'not base64!' },
    { encoding: 'base64url', body: 'aGkkA' },
    { encoding: 'base64url', body: 'aG=k' },
    { encoding: 'base64url', body: { a: 1 } },
    { encoding: 'base64url' },
    { encoding: 'none', body: 'aGk' },
    { body: 'aGk' },
  ])('are undefined for %j', (entry) => {
    expect(decodedBody(entry)).toBeUndefined();
  });

  it.each([
    ['audio/x-wav', 'audio/x-wav'],
    ['Text/PLAIN; charset=UTF-8', 'text/plain; charset=UTF-8'],
    ['multipart/mixed; \n\tboundary="----=_Part_1.2"', 'multipart/mixed; boundary="----=_Part_1.2"'],
    ['text/plain\r\nSet-Cookie: x=1', 'application/octet-stream'],
    ['text/plain; a="x\r\nSet-Cookie: y=1"', 'text/plain'],
    ['nonsense', 'application/octet-stream'],
    ['', 'application/octet-stream'],
    [7, 'application/octet-stream'],
    [undefined, 'application/octet-stream'],
  ])('of media type %j are %s', (mediatype, mediaType) => {
    const content = { encoding: 'base64url', body: 'aGk' };
    const given = (name: string): JsonObject => (mediatype === undefined ? content : { ...content, [name]: mediatype });
    expect(decodedBody(given('mediatype'))?.mediaType).toBe(mediaType);
    expect(decodedBody(given('mimetype'))?.mediaType).toBe(mediaType);
  });
});

describe('the texts of a body', () => {
  it.each<[JsonObject, string[]]>([
    [{ body: 'plain' }, ['plain']],
    [{ body: { a: 'one', b: [{ c: 'two' }, 3] } }, ['one', 'two']],
    [{ body: '{"a":"one","b":["two"]}' }, ['one', 'two']],
    [{ body: '{"a":' }, ['{"a":']],
    [{ body: '"quoted"', encoding: 'json' }, ['quoted']],
    [{ body: 'aGk', encoding: 'base64url', mediatype: 'text/plain' }, ['hi']],
    [{ body: 'aGk', encoding: 'base64url', mediatype: 'audio/wav' }, []],
    [{ body: 'UklGRg', mimetype: 'audio/x-wav' }, []],
    [{ body: null }, []],
    [{}, []],
  ])('%j are %j', (entry, texts) => {
    expect([...textsOf(entry)]).toEqual(texts);
  });

  it('of JSON with unlimited nesting are its source text', () => {
    const body = '['.repeat(100_000) + ']'.repeat(100_000);
    expect([...textsOf({ body })]).toEqual([body]);
  });
});
