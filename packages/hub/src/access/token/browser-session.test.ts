import { describe, expect, it } from 'vitest';
import { browserSessionKey, parsedSession, sessionLifeMs, signed } from './browser-session.ts';

const key = browserSessionKey('token');
const session = { id: 'aZ09_-', expiresAt: 1_800_000_000_000 };
const cookie = signed(session, key);
const isSigned = (value: string) => parsedSession(value)?.isSigned(key) ?? false;

describe('a session', () => {
  it.each([
    { id: 'a', expiresAt: 0 },
    { id: '-'.repeat(64), expiresAt: session.expiresAt },
    { id: '7', expiresAt: 8.64e15 },
  ])('%j is read as it was signed', (given) => {
    const value = signed(given, key);
    expect(value).toMatch(/^[\w.-]+$/);
    expect(parsedSession(value)).toMatchObject(given);
    expect(isSigned(value)).toBe(true);
  });

  it('is not that of another token', () => {
    expect(parsedSession(cookie)?.isSigned(browserSessionKey('token '))).toBe(false);
    expect(parsedSession(cookie)?.isSigned(browserSessionKey(''))).toBe(false);
    expect(browserSessionKey('token')).toEqual(key);
  });

  it('is not valid with any other character', () => {
    for (let index = 0; index < cookie.length; index += 1) {
      const other = cookie.charAt(index) === 'a' ? 'b' : 'a';
      const changed = cookie.slice(0, index) + other + cookie.slice(index + 1);
      expect(isSigned(changed), changed).toBe(false);
    }
  });

  it('cannot live longer than it was signed for', () => {
    const [end = '', ...rest] = cookie.split('.');
    const longer = (Number.parseInt(end, 36) + sessionLifeMs).toString(36);
    for (const forged of [longer, end.toUpperCase(), `0${end}`, `${end}0`, '_'])
      expect(isSigned([forged, ...rest].join('.')), forged).toBe(false);
  });
});

it.each([
  '',
  'x',
  cookie.slice(0, -1),
  `${cookie}a`,
  `${cookie}.a`,
  `${cookie}\n`,
  ` ${cookie}`,
  cookie.replace('.', '..'),
  cookie.replaceAll('.', '%2E'),
  cookie.replace(session.id, 'ä'),
  cookie.replace(session.id, ''),
  cookie.replace(session.id, 'x'.repeat(65)),
  cookie.replace(/^\w+/, 'z'.repeat(12)),
  'a.'.repeat(100_000),
])('%s is no session', (value) => {
  expect(parsedSession(value)).toBeUndefined();
});
