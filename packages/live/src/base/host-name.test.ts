import { expect, it } from 'vitest';
import { isLoopback, urlHost } from './host-name.ts';

it.each(['localhost', '127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each(['', '0.0.0.0', '::', '192.0.2.1', '127.evil.example', '127.0.0.1.evil.example', 'localhost.example', '[::1'])(
  '"%s" may be another machine',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

it('only IPv6 addresses get brackets, once', () => {
  expect(['::1', '[::1]', '127.0.0.1', 'localhost'].map(urlHost)).toEqual(['[::1]', '[::1]', '127.0.0.1', 'localhost']);
});
