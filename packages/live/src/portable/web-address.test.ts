import { expect, it } from 'vitest';
import { hasCredentials, isWebUrl, webAddress } from './web-address.ts';

const refusal = (fault: string) => new Error(fault);

it.each(['https://example.com/hook?key=1', 'HTTP://[::1]:8080'])('%s is an address', (text) => {
  expect(webAddress(text, refusal).href).toBe(new URL(text).href);
});

it.each([
  ['', 'form'],
  ['example.com', 'form'],
  ['ftp://example.com', 'form'],
  ['file:///etc/passwd', 'form'],
  ['https://me@example.com', 'credentials'],
  ['https://:secret@example.com', 'credentials'],
])('"%s" is refused for its %s', (text, fault) => {
  expect(() => webAddress(text, refusal)).toThrow(fault);
});

it('each part can be checked alone', () => {
  expect([isWebUrl(new URL('ws://a')), isWebUrl(new URL('http://a'))]).toEqual([false, true]);
  expect([hasCredentials(new URL('ws://a')), hasCredentials(new URL('ws://:b@a'))]).toEqual([false, true]);
});
