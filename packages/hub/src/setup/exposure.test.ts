import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { exposure } from './exposure.ts';

function requestWith(authorization?: string): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  if (authorization !== undefined) req.headers.authorization = authorization;
  return req;
}

describe('the exposure of a server', () => {
  test.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('accepts every local program on %s', (host) => {
    const { allowedHosts, authenticate } = exposure(host, undefined, false);
    expect(allowedHosts).toContain(host === '::1' ? '[::1]' : host);
    expect(authenticate).toBeUndefined();
  });

  test.each(['0.0.0.0', '::', '', '192.0.2.1', '127.example.com'])('requires a token or --insecure on "%s"', (host) => {
    expect(() => exposure(host, undefined, false)).toThrow('TIDINGS_TOKEN');
    expect(exposure(host, undefined, true).authenticate).toBeUndefined();
    expect(exposure(host, 'secret', false).authenticate).toBeDefined();
  });

  test('requires a token behind a proxy', () => {
    expect(() => exposure('127.0.0.1', undefined, false, ['tidings.example'])).toThrow('as tidings.example');
    expect(exposure('127.0.0.1', 'secret', false, ['tidings.example']).allowedHosts).toContain('tidings.example');
  });

  test('with a token, accepts it only as a bearer token', () => {
    const { authenticate } = exposure('127.0.0.1', 'open sesame', false);
    expect(authenticate?.(requestWith('Bearer open sesame'))).toEqual({ subject: 'token' });
    for (const wrong of [undefined, '', 'Bearer', 'Bearer open', 'Basic open sesame', 'open sesame']) {
      expect(authenticate?.(requestWith(wrong)), wrong).toBeUndefined();
    }
  });

  test('with a token, pauses addresses with wrong tokens', () => {
    const { authenticate } = exposure('127.0.0.1', 'open sesame', false);
    for (let n = 0; n < 5; n += 1) expect(authenticate?.(requestWith(`Bearer guess ${n}`))).toBeUndefined();
    expect(() => authenticate?.(requestWith('Bearer open sesame'))).toThrow(/Too many wrong tokens .* try again in/);
    expect(authenticate?.(requestWith(undefined))).toBeUndefined();
  });
});
