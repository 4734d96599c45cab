import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { FakeClock } from '@tidings/live/testing';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { Callers } from '../../access/callers.ts';
import { Admission } from './admission.ts';

const issuer = 'https://id.example.com';
const audience = 'https://tidings.example.com/mcp';

function requestWith(token: string): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.headers.authorization = `Bearer ${token}`;
  return req;
}

it('forged access tokens are reported until their address is paused, and fresh ones are verified nevertheless', async () => {
  const clock = new FakeClock(1e12);
  const warnings: string[] = [];
  const log = { warn: (_: object, words: string) => void warnings.push(words), error: () => undefined };
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const { privateKey: other } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'a' }];
  const fetch = async (url: string) =>
    Response.json(url.endsWith('/jwks') ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` });
  const config = { tokens: [{ env: 'A' }], oauth: { issuers: [{ issuer, audience }] } };
  const callers = new Callers({ config, env: { A: 'one' }, fetch, clock, log });
  const forwarded = { addressOf: () => '192.0.2.1', isTls: () => false };
  const admission = new Admission({ callers: () => callers, forwarded, clock, log });
  const token = (sub: string, key = privateKey) =>
    new SignJWT({ iss: issuer, aud: audience, sub, exp: 1e9 + 60 })
      .setProtectedHeader({ alg: 'ES256', kid: 'a' })
      .sign(key);
  const admitted = async (given: string) => (await admission.of(requestWith(given), '/mcp'))?.principal.subject;

  expect(await admitted('one')).toBe('A');
  for (let n = 0; n < 50; n += 1) {
    await expect(admitted(await token(`user ${n}`, other))).rejects.toThrow('was not signed by');
  }
  expect(warnings).toHaveLength(5);
  expect(await admitted(await token('ada'))).toBe(`${issuer}#ada`);
  await expect(admitted('one')).rejects.toThrow('Too many wrong tokens');
});
