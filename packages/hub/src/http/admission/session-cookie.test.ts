import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { cookieHeader, cookieOf } from './session-cookie.ts';

function request(headers: IncomingMessage['headers']): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

describe('the cookie of a browser session', () => {
  it('has the port in its name, and is not for scripts or other sites', () => {
    const header = cookieHeader({ isTls: false, host: '127.0.0.1:7411' }, 'value', 60);
    expect(header).toBe('tidings-7411=value; Path=/; HttpOnly; SameSite=Strict; Max-Age=60');
  });

  it('is bound to its host over TLS', () => {
    const header = cookieHeader({ isTls: true, host: 'tidings.example.com' }, 'value', 60);
    expect(header).toMatch(/^__Host-tidings-443=value; .+; Secure$/);
  });

  it('is found among others, by port and scheme', () => {
    const cookie = 'a=b; tidings-7411=one; tidings-7412=two; __Host-tidings-7411=three';
    expect(cookieOf(request({ host: 'localhost:7411', cookie }), false)).toBe('one');
    expect(cookieOf(request({ host: 'localhost:7412', cookie }), false)).toBe('two');
    expect(cookieOf(request({ host: 'localhost:7411', cookie }), true)).toBe('three');
    expect(cookieOf(request({ host: 'localhost:7413', cookie }), false)).toBeUndefined();
    expect(cookieOf(request({ host: 'localhost:7411' }), false)).toBeUndefined();
  });
});
