import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import { type JWK, exportJWK, generateKeyPair } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { IssuerKeys } from './issuer-keys.ts';

const issuer = 'https://id.example.com/tenant';
const minute = 60_000;
let clock: FakeClock;
let published: JWK[];
let isAway: boolean;
let asked: string[];
let keys: IssuerKeys;

async function key(kid: string): Promise<JWK> {
  const { publicKey } = await generateKeyPair('ES256');
  return { ...(await exportJWK(publicKey)), kid };
}

beforeEach(async () => {
  clock = new FakeClock();
  published = [await key('a')];
  isAway = false;
  asked = [];
  const fetch = async (url: string) => {
    asked.push(url);
    if (isAway) throw new Error('away');
    if (url.endsWith('/jwks')) return Response.json({ keys: published });
    const isOwn = url === `${issuer}/.well-known/openid-configuration`;
    return isOwn
      ? Response.json({ issuer, jwks_uri: 'https://id.example.com/jwks' })
      : new Response('', { status: 404 });
  };
  const log = { warn: () => undefined, error: () => undefined };
  keys = new IssuerKeys(issuer, { fetch, clock, log });
});

const loads = () => asked.filter((url) => url.endsWith('/jwks')).length;

describe('the keys of an issuer', () => {
  it('are found at the metadata URLs of OAuth and OpenID Connect', async () => {
    await keys.with('a');
    expect(asked).toEqual([
      'https://id.example.com/.well-known/oauth-authorization-server/tenant',
      'https://id.example.com/.well-known/openid-configuration/tenant',
      'https://id.example.com/tenant/.well-known/openid-configuration',
      'https://id.example.com/jwks',
    ]);
  });

  it('are loaded once for many tokens, and again for an unknown key after a pause', async () => {
    await Promise.all([keys.with('a'), keys.with('a'), keys.with(undefined)]);
    expect(loads()).toBe(1);
    published = [await key('b')];
    expect((await keys.with('b')).has('b')).toBe(false);
    expect(loads()).toBe(1);
    clock.advance(5000);
    const both = await Promise.all([keys.with('b'), keys.with('c')]);
    expect(both.map((set) => set.has('b'))).toEqual([true, true]);
    expect(loads()).toBe(2);
    expect((await keys.with('c')).has('c')).toBe(false);
    expect(loads()).toBe(2);
    expect(keys.latest()?.has('a')).toBe(false);
  });

  it('are loaded again when they are old, and used meanwhile for a limited time', async () => {
    const first = await keys.with('a');
    clock.advance(11 * minute);
    isAway = true;
    expect(keys.latest()).toBe(first);
    await eventLoopTurn();
    expect(await keys.with('a')).toBe(first);
    clock.advance(50 * minute);
    expect(keys.latest()).toBeUndefined();
    await expect(keys.with('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    isAway = false;
    clock.advance(minute);
    expect((await keys.with('a')).has('a')).toBe(true);
  });

  it('are requested with pauses while the issuer is unavailable', async () => {
    isAway = true;
    await expect(keys.with('a')).rejects.toThrow(`Access tokens of ${issuer} cannot be verified now`);
    const before = asked.length;
    for (let n = 0; n < 20; n += 1) await expect(keys.with('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(asked.length).toBe(before);
    isAway = false;
    clock.advance(1000);
    expect((await keys.with('a')).has('a')).toBe(true);
  });
});
