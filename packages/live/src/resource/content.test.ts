import { expect, it } from 'vitest';
import { content, contents, toReadResult } from './content.ts';

const read = (value: unknown, mimeType?: string) => toReadResult(value, 'a://x', mimeType, {});

it.each([
  ['text', 'hello', { mimeType: 'text/plain', text: 'hello' }],
  ['an object', { a: 1 }, { mimeType: 'application/json', text: '{"a":1}' }],
  ['null', null, { mimeType: 'application/json', text: 'null' }],
  ['a number', 0, { mimeType: 'application/json', text: '0' }],
  ['a buffer', new Uint8Array([104, 105]).buffer, { mimeType: 'application/octet-stream', blob: 'aGk=' }],
  ['bytes', Buffer.from('hi').subarray(1), { mimeType: 'application/octet-stream', blob: 'aQ==' }],
])('turns %s into contents', (_what, value, expected) => {
  expect(read(value)).toEqual({ contents: [{ uri: 'a://x', ...expected }] });
});

it('takes the MIME type from the content, otherwise from the route', () => {
  expect(read('# hi', 'text/markdown').contents[0]?.mimeType).toBe('text/markdown');
  expect(read(content('<p>', { mimeType: 'text/html' }), 'text/plain').contents[0]?.mimeType).toBe('text/html');
});

it('returns several contents, each with its own URI', () => {
  const several = contents(['one', content({ two: 2 }, { uri: 'a://x/2', _meta: { part: 2 } })], { ttlMs: 5 });
  expect(read(several)).toEqual({
    contents: [
      { uri: 'a://x', mimeType: 'text/plain', text: 'one' },
      { uri: 'a://x/2', mimeType: 'application/json', text: '{"two":2}', _meta: { part: 2 } },
    ],
    ttlMs: 5,
  });
});

it('prefers the cache rule of the read to that of the route', () => {
  const rule = { ttlMs: 1000, cacheScope: 'public' as const };
  expect(toReadResult('x', 'a://x', undefined, rule)).toMatchObject(rule);
  expect(toReadResult(contents(['x'], { ttlMs: 1 }), 'a://x', undefined, rule)).toMatchObject({ ...rule, ttlMs: 1 });
});

it('reports undefined as not found', () => {
  expect(() => read(undefined)).toThrow('No such resource.');
});
