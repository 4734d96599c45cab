import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import {
  acceptedAlgorithms,
  namedIssuer,
  readAccessToken,
  scopesOf,
  toleranceSeconds,
  verifiedClaims,
} from './access-token.ts';
import { TokenRefused } from './token-refused.ts';

const clock = new FakeClock();
const now = clock.date() / 1000;
const header = { alg: 'ES256', kid: 'a', typ: 'at+jwt' };
const claims = { iss: 'https://id.example.com', sub: 'ada', aud: 'hub', exp: now + 1 };

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const token = (payload: unknown, head: unknown = header) => `${part(head)}.${part(payload)}.c2lnbmF0dXJl`;
const refusal = (given: string) => {
  try {
    readAccessToken(given, clock);
  } catch (error) {
    if (error instanceof TokenRefused) return error.message;
    throw error;
  }
  return undefined;
};

describe('the issuer of a token', () => {
  it('is the one that it names, signed or not', () => {
    expect(namedIssuer(token(claims))).toBe(claims.iss);
    expect(namedIssuer(`${part(header)}.${part(claims)}.`)).toBe(claims.iss);
    expect(namedIssuer(token({ iss: '' }))).toBe('');
  });

  it.each([
    ['', 'nothing'],
    ['secret', 'a token of the hub'],
    ['a.b', 'two parts'],
    [`${token(claims)}.x`, 'four parts'],
    [` ${token(claims)}`, 'a space'],
    [`${token(claims)}\n`, 'a line end'],
    ['..', 'empty parts'],
    [`${part(header)}.${part(claims)}+.x`, 'base64 of another kind'],
    [token('not JSON'), 'a payload that is not JSON'],
    [token('null'), 'null'],
    [token([claims]), 'a list'],
    [token({ iss: 7 }), 'an issuer that is not text'],
    [token({}), 'no issuer'],
    [token({ ...claims, more: 'x'.repeat(16 * 1024) }), 'a payload that is too large'],
  ])('is not known from %j: %s', (given) => {
    expect(namedIssuer(given)).toBeUndefined();
  });
});

describe('a token is accepted', () => {
  it.each(acceptedAlgorithms)('with the algorithm %s', (alg) => {
    expect(readAccessToken(token(claims, { alg }), clock).header).toEqual({ alg });
  });

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', 'application/jwt'])('with the type %s', (typ) => {
    expect(refusal(token(claims, { ...header, typ }))).toBeUndefined();
  });

  it.each<[what: string, payload: object]>([
    ['for one audience', claims],
    ['for several audiences', { ...claims, aud: ['a', 'hub'] }],
    ['that expires in a moment', { ...claims, exp: now + 0.001 }],
    ['that is valid at the end of the tolerance', { ...claims, nbf: now + toleranceSeconds }],
    ['with a subject in Unicode', { ...claims, sub: 'Zoë 日本 😀' }],
    ['with the longest subject', { ...claims, sub: 'x'.repeat(255) }],
    ['with a subject that looks a little like that of a grant', { ...claims, sub: 'ada (grants.1) x' }],
    ['with other claims', { ...claims, scope: 'a', constructor: 'x' }],
  ])('%s', (_, payload) => {
    expect(readAccessToken(token(payload), clock).claims.sub).toBe(Reflect.get(payload, 'sub'));
  });

  it('has its audiences as a list', () => {
    expect(verifiedClaims(claims).aud).toEqual(['hub']);
    expect(verifiedClaims({ ...claims, aud: ['a', 'b'] }).aud).toEqual(['a', 'b']);
  });
});

describe('a token is refused', () => {
  const isMissing = (claim: string) => `Its claim "${claim}" is missing or not valid.`;
  const noAlgorithm = 'Its algorithm is not accepted: use RS256, ES256 or EdDSA.';
  it.each<[why: string, payload: unknown, head?: unknown]>([
    ['It has no readable header.', claims, 'not JSON'],
    ['It has no readable header.', claims, []],
    ['It has no readable header.', claims, { kid: 'a' }],
    ['It has no readable header.', claims, { alg: 'ES256', kid: 7 }],
    [noAlgorithm, claims, { alg: 'none' }],
    [noAlgorithm, claims, { alg: 'HS256' }],
    [noAlgorithm, claims, { alg: 'es256' }],
    [noAlgorithm, claims, { alg: '' }],
    ['Its type is another one than "at+jwt" or "JWT".', claims, { ...header, typ: 'logout+jwt' }],
    ['Its type is another one than "at+jwt" or "JWT".', claims, { ...header, typ: '' }],
    ['Its type is another one than "at+jwt" or "JWT".', claims, { ...header, typ: 'at+jwt\n' }],
    [isMissing('iss'), { ...claims, iss: undefined }],
    [isMissing('sub'), { ...claims, sub: undefined }],
    [isMissing('sub'), { ...claims, sub: '' }],
    [isMissing('sub'), { ...claims, sub: 7 }],
    [isMissing('sub'), { ...claims, sub: 'x'.repeat(256) }],
    [isMissing('sub'), { ...claims, sub: 'ada (grants.1)' }],
    [isMissing('sub'), { ...claims, sub: 'ada (grants.12)' }],
    [isMissing('sub'), { ...claims, sub: 'a\nb' }],
    [isMissing('sub'), { ...claims, sub: 'a\u0000b' }],
    [isMissing('sub'), { ...claims, sub: 'a\u202eb' }],
    [isMissing('sub'), { ...claims, sub: 'a\u2028 (grants.1)' }],
    [isMissing('sub'), { ...claims, sub: 'a\ud800' }],
    [isMissing('aud'), { ...claims, aud: undefined }],
    [isMissing('aud'), { ...claims, aud: ['hub', 7] }],
    [isMissing('exp'), { ...claims, exp: undefined }],
    [isMissing('exp'), { ...claims, exp: String(now + 1) }],
    [isMissing('exp'), { ...claims, exp: 1e13 }],
    [isMissing('nbf'), { ...claims, nbf: 'x' }],
    [isMissing('nbf'), { ...claims, nbf: -1 }],
    ['It has expired.', { ...claims, exp: now }],
    ['It has expired.', { ...claims, exp: 0 }],
    ['It is not valid yet.', { ...claims, nbf: now + toleranceSeconds + 0.001 }],
    ['It is bound to a key (DPoP or mTLS), which the hub does not check.', { ...claims, cnf: { jkt: 'x' } }],
    ['It is bound to a key (DPoP or mTLS), which the hub does not check.', { ...claims, cnf: null }],
  ])('%s %j', (why, payload, head) => {
    expect(refusal(token(payload, head))).toBe(`This access token is not valid here. ${why}`);
  });

  it('if its payload is not an object', () => {
    for (const payload of ['not JSON', 'null', '7', []])
      expect(refusal(token(payload))).toContain('is missing or not valid.');
    expect(refusal('')).toContain('It has no readable header.');
    expect(refusal(part(header))).toContain('is missing or not valid.');
  });
});

it.each<[claims: Record<string, unknown>, scopes: string[]]>([
  [{}, []],
  [{ scope: '' }, []],
  [{ scope: 'a b' }, ['a', 'b']],
  [{ scope: ' a  b ' }, ['a', 'b']],
  [{ scp: ['a', 'b c'] }, ['a', 'b', 'c']],
  [{ scope: 'a', scp: 'b' }, ['a', 'b']],
  [{ scope: ['a', 7, null, ['b']] }, ['a']],
  [{ scope: 7, scp: { a: 1 } }, []],
  [{ scope: 'constructor __proto__' }, ['constructor', '__proto__']],
])('the scopes of %j are %j', (given, scopes) => {
  expect(scopesOf(given)).toEqual(scopes);
});
