import { describe, expect, it } from 'vitest';
import { basicCredentials, withUrlCredentials } from './url-credentials.ts';

const entry = (url: string, headers: Record<string, string> = {}) => ({
  id: 'x',
  enabled: true,
  trackResources: false,
  url,
  headers,
});
const plain = (credentials: string) => Buffer.from(credentials, 'base64').toString('utf8');

describe('a URL', () => {
  it('without credentials leaves its entry as it is', () => {
    const given = entry('https://example.com/mcp?user=a:b@c', { 'X-Key': 'k' });
    expect(withUrlCredentials(given)).toBe(given);
  });

  it.each([
    ['https://me:word@example.com/mcp?a=%20b#c', 'me:word'],
    ['https://me@example.com/mcp?a=%20b#c', 'me:'],
    ['https://:word@example.com/mcp?a=%20b#c', ':word'],
    ['https://me%40here:p%C3%A4ss%3A%20word@example.com/mcp?a=%20b#c', 'me@here:päss: word'],
    ['https://%F0%9F%98%80:x@example.com/mcp?a=%20b#c', '😀:x'],
    ['https://me:100%25@example.com/mcp?a=%20b#c', 'me:100%'],
    ['https://me:%zz%@example.com/mcp?a=%20b#c', 'me:%zz%'],
    ['https://me:%ff@example.com/mcp?a=%20b#c', 'me:%ff'],
  ])('%s is requested without its credentials, which a header has as "%s"', (url, credentials) => {
    const given = entry(url, { 'X-Key': 'k' });
    const { url: bare, headers } = withUrlCredentials(given);
    expect(bare).toBe('https://example.com/mcp?a=%20b#c');
    expect(headers['X-Key']).toBe('k');
    expect(plain(headers['Authorization']?.replace(/^Basic /, '') ?? '')).toBe(credentials);
    expect(given).toEqual(entry(url, { 'X-Key': 'k' }));
  });

  it.each(['Authorization', 'authorization', 'AUTHORIZATION'])('yields to the header %s of its entry', (name) => {
    const { url, headers } = withUrlCredentials(entry('https://me:word@example.com/', { [name]: 'Bearer t' }));
    expect(url).toBe('https://example.com/');
    expect(headers).toEqual({ [name]: 'Bearer t' });
    expect(new Headers(headers).get('Authorization')).toBe('Bearer t');
  });
});

it('decodes both parts of credentials on their own', () => {
  expect(plain(basicCredentials('%zz', 'a%20b'))).toBe('%zz:a b');
  expect(plain(basicCredentials('', ''))).toBe(':');
});
