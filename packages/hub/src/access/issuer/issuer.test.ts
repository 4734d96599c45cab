import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { Issuers } from './issuers.ts';

const issuer = 'https://id.example.com';
const audience = 'https://tidings.example.com/mcp';
const minute = 60_000;
const log = { warn: () => undefined, error: () => undefined };
let clock: FakeClock;
let published: JWK[];
let signing: CryptoKey;
let issuers: Issuers;

async function rotate(kid: string): Promise<JWK> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  signing = privateKey;
  return { ...(await exportJWK(publicKey)), kid };
}

function token(header: object = { kid: 'a' }): Promise<string> {
  const exp = Math.floor(clock.date() / 1000) + 3600;
  return new SignJWT({ iss: issuer, sub: 'ada', aud: audience, exp })
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(signing);
}

async function fetch(url: string): Promise<Response> {
  return Response.json(url.endsWith('/jwks') ? { keys: published } : { issuer, jwks_uri: `${issuer}/jwks` });
}

function issuersWith(entry: object, before?: Issuers): Issuers {
  const config = { oauth: { issuers: [{ issuer, audience, ...entry }] } };
  return new Issuers({ config, before, fetch, clock, log });
}

beforeEach(async () => {
  clock = new FakeClock();
  published = [await rotate('a')];
  issuers = issuersWith({});
});

describe('a verified access token', () => {
  it.each([{ kid: 'a' }, {}])('is cached until the issuer withdraws its key, with the header %j', async (header) => {
    const given = await token(header);
    const principal = await issuers.verified(given, '/mcp');
    expect(principal && issuers.admits(principal)).toBe(true);
    expect(issuers.known(given, '/mcp')).toBe(principal);
    const kept = published;
    published = [...kept];
    clock.advance(11 * minute);
    expect(issuers.known(given, '/mcp')).toBe(principal);
    await eventLoopTurn();
    // Another key with the same id.
    published = [await rotate('a')];
    clock.advance(11 * minute);
    expect(issuers.known(given, '/mcp')).toBe(principal);
    await eventLoopTurn();
    expect(principal && issuers.admits(principal)).toBe(false);
    expect(issuers.known(given, '/mcp')).toBeUndefined();
    await expect(issuers.verified(given, '/mcp')).rejects.toThrow('was not signed by');
  });

  it('is cached until it expires', async () => {
    const given = await token();
    const principal = await issuers.verified(given, '/mcp');
    clock.advance(55 * minute);
    await issuers.verified(await token(), '/mcp');
    expect(principal && issuers.admits(principal)).toBe(true);
    clock.advance(5 * minute);
    expect(principal && issuers.admits(principal)).toBe(false);
    expect(issuers.known(given, '/mcp')).toBeUndefined();
    await expect(issuers.verified(given, '/mcp')).rejects.toThrow('It has expired.');
  });

  it('is cached across edits that do not change its grant', async () => {
    const given = await token();
    const principal = await issuers.verified(given, '/mcp');
    const same = issuersWith({ limits: { streams: 1 }, mentionChanges: false }, issuers);
    expect(same.known(given, '/mcp')).toBe(principal);
    const other = issuersWith({ grants: [{ allow: [] }] }, same);
    expect(other.known(given, '/mcp')).toBeUndefined();
    expect(principal && other.admits(principal)).toBe(false);
    expect(principal && (await other.verified(given, '/mcp'))?.grant.id).not.toBe(principal?.grant.id);
  });

  it('is refused if its issuer is not configured', async () => {
    expect(issuers.areNamedBy(await token())).toBe(true);
    for (const text of ['', 'a.b.c', 'x'.repeat(43), `${await token()}.x`, 'a.bnVsbA.c', 'a.WzFd.c']) {
      expect(issuers.areNamedBy(text), text).toBe(false);
    }
    expect(issuers.hasSubject(`${issuer}#ada`)).toBe(true);
    for (const subject of [issuer, `${issuer}.evil#ada`, 'https://id.example#ada', 'ada', '']) {
      expect(issuers.hasSubject(subject), subject).toBe(false);
    }
  });
});
