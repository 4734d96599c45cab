import { afterEach, expect, it, vi } from 'vitest';
import { readContent } from './contents.ts';

afterEach(() => void vi.unstubAllGlobals());

// A server may send text as bytes; such content has no character set.
it.each([
  ['application/json', true],
  ['application/ld+json', true],
  ['image/svg+xml', true],
  ['text/csv', true],
  ['application/octet-stream', false],
  ['image/png', false],
])('content of the type %s is shown as text: %s', async (type, isText) => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('[1]', { headers: { 'content-type': type } })));
  const { text } = await readContent({ serverId: 'notes', uri: 'note://1' }, new AbortController().signal);
  expect(text).toBe(isText ? '[1]' : undefined);
});
