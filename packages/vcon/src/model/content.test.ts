import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contentFields, contentRules, follows, has, referenceFields, referenceRules } from './content.ts';
import type { JsonObject } from './json.ts';

const content = z.looseObject(contentFields).check(follows(...contentRules));
const reference = z.looseObject(referenceFields).check(follows(...referenceRules));
const problemsOf = (schema: z.ZodType, entry: unknown) =>
  (schema.safeParse(entry).error?.issues ?? []).map(({ path, message }) => `${path.join('/')} ${message}`);

const url = 'https://example.com/a.wav';
const content_hash = 'sha512-YWJj_-';

describe('content', () => {
  it.each<[what: string, entry: JsonObject]>([
    ['none at all', {}],
    ['text', { body: '', encoding: 'none' }],
    ['JSON of any kind', { body: { a: [1] }, encoding: 'json' }],
    ['bytes', { body: 'YWJj', encoding: 'base64url' }],
    ['a reference with a hash', { url, content_hash }],
    ['a reference with several hashes', { url, content_hash: [content_hash, `${content_hash}==`] }],
    ['a reference with a hash as older files write it', { url, alg: 'SHA-512', signature: 'x' }],
    ['an encoding without a body', { encoding: 'none' }],
    ['fields of an extension, also with names of every object', { constructor: 'x', toString: 1, hasOwnProperty: [] }],
  ])('may be %s', (_, entry) => {
    expect(problemsOf(content, entry)).toEqual([]);
  });

  it.each<[entry: JsonObject, problem: string]>([
    [{ body: 'x' }, 'encoding missing, but goes with a body'],
    [{ body: null, encoding: null }, 'encoding must be base64url, json or none'],
    [{ body: 'x', encoding: 'base64' }, 'encoding must be base64url, json or none'],
    [{ body: {}, encoding: 'none' }, 'body must be text where encoding is none'],
    [{ body: 0, encoding: 'none' }, 'body must be text where encoding is none'],
    [{ body: '%%%', encoding: 'base64url' }, 'body is not base64url, as its encoding says'],
    [{ body: {}, encoding: 'base64url' }, 'body is not base64url, as its encoding says'],
    [{ url, content_hash, body: 'x', encoding: 'none' }, 'body inline content has no url: leave out one of both'],
    [{ url }, 'content_hash missing, but goes with a url'],
    [{ url, alg: 'SHA-512' }, 'content_hash missing, but goes with a url'],
    [{ url, signature: 'x' }, 'content_hash missing, but goes with a url'],
    [{ url: 'http://example.com/', content_hash }, 'url must be an https URL'],
    [{ url: 'javascript:alert(1)', content_hash }, 'url must be an https URL'],
  ])('%j: %s', (entry, problem) => {
    expect(problemsOf(content, entry)).toEqual([problem]);
  });

  it.each([
    'sha512-',
    'sha256-abc',
    'sha512-a b',
    'sha512-abc===',
    'xsha512-abc',
    'sha512-abc\n',
    ['sha512-abc', ''],
    7,
  ])('does not have the hash %j', (invalid) => {
    expect(problemsOf(content, { url, content_hash: invalid })).toEqual([
      expect.stringMatching(/^content_hash(\/1)? must be sha512- and the hash/),
    ]);
  });

  it('reports every problem of an entry, also where a field is invalid', () => {
    expect(problemsOf(content, { url: 'x', body: 7, encoding: 'none', filename: 1 })).toHaveLength(5);
  });

  it('has rules for objects only', () => {
    for (const entry of [null, 7, 'body', ['body']]) expect(problemsOf(content, entry)).toHaveLength(1);
  });
});

it('a reference may not lack its hash, and has no rules about a body', () => {
  expect(problemsOf(reference, { url })).toEqual(['content_hash missing, but goes with a url']);
  expect(problemsOf(reference, { body: 'x' })).toEqual([]);
});

it.each<[entry: JsonObject, isThere: boolean]>([
  [{}, false],
  [{ body: null }, false],
  [{ body: '' }, true],
  [{ body: 0 }, true],
  [{ body: false }, true],
])('has in %j a body: %s', (entry, isThere) => {
  expect(has(entry, 'body')).toBe(isThere);
});
