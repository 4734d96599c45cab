// Access tokens that the hub accepts, and those that it must refuse.
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { eventually } from '@tidings/live/testing';
import { generateKeyPair } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ScriptedIssuer } from '../support/counterpart/scripted-issuer.ts';
import { audience, bearer, hubWithIssuer, notePath } from './hub-with-issuer.ts';

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

describe('an access token', () => {
  it('of the issuer for this hub is accepted with a signature of any published key', async () => {
    const { issuer, read } = await hubWithIssuer();
    const tokens = [await issuer.token({ aud: ['https://other.example', audience] }, { typ: 'at+jwt' })];
    for (const alg of ['RS256', 'PS512', 'ES384', 'Ed25519', 'EdDSA']) {
      await issuer.rotate(alg, alg, issuer.keys);
      tokens.push(await issuer.token({ aud: audience }));
    }
    for (const token of tokens) expect(await read(token)).toBe(200);
  });

  it('is verified once, however often it is used', async () => {
    const { issuer, read } = await hubWithIssuer();
    const token = await issuer.token({ aud: audience });
    for (let n = 0; n < 5; n += 1) expect(await read(token)).toBe(200);
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
  });

  it('is refused with the reason if its audience or its time is wrong', async () => {
    const { hub, issuer } = await hubWithIssuer();
    const refused = async (token: string) => {
      const answer = await hub.get(notePath, bearer(token));
      expect(answer.status).toBe(401);
      const header = answer.headers.get('www-authenticate') ?? '';
      expect(header).toMatch(/^Bearer error="invalid_token", error_description="/);
      expect(await answer.json()).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
      return header;
    };
    const token = issuer.token.bind(issuer);
    expect(await refused(await token({ aud: 'https://other.example/mcp' }))).toContain('another audience');
    expect(await refused(await token({ aud: `${audience}-of-another` }))).toContain('another audience');
    expect(await refused(await token())).toContain("'aud'");
    expect(await refused(await token({ aud: audience, expiresIn: -1 }))).toContain('expired');
    expect(await refused(await token({ aud: audience, exp: undefined }))).toContain("'exp'");
    expect(await refused(await token({ aud: audience, notBefore: 600 }))).toContain('not valid yet');
    expect(await refused(await token({ aud: audience, sub: undefined }))).toContain("'sub'");
    expect(await refused(await token({ aud: audience, sub: 'a\nb' }))).toContain("'sub'");
    for (const sub of [
      '',
      'ada (grants.0)',
      'ada\u2028(grants.0)',
      'ada\u2028 (grants.0)',
      'a'.repeat(256),
      ['ada'],
      7,
    ]) {
      expect(await refused(await token({ aud: audience, sub })), String(sub)).toContain("'sub'");
    }
    expect(await refused(await token({ aud: audience, cnf: { jkt: 'x' } }))).toContain('bound to a key');
    expect(await refused(await token({ aud: audience }, { typ: 'logout+jwt' }))).toContain('type');
  });

  it('is refused without a signature of the issuer', async () => {
    const { issuer, read } = await hubWithIssuer({}, { token: 'whole' });
    const claims = { iss: issuer.issuer, sub: 'ada', aud: audience, exp: inAnHour() };
    const kid = 'first';
    // Without an algorithm, in several spellings.
    for (const alg of ['none', 'None', 'NONE', '']) {
      expect(await read(`${encoded({ alg, kid })}.${encoded(claims)}.`), alg).toBe(401);
    }
    // With the public key as the secret of an HMAC.
    const [jwk] = issuer.keys;
    const spki = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    for (const secret of [spki.export({ type: 'spki', format: 'pem' }), JSON.stringify(jwk)]) {
      const text = `${encoded({ alg: 'HS256', kid })}.${encoded(claims)}`;
      expect(await read(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`)).toBe(401);
    }
    // With a foreign key under the issuer's key id, and with foreign keys in the header.
    const { privateKey } = await generateKeyPair('ES256');
    expect(await read(await issuer.token({ aud: audience }, {}, privateKey))).toBe(401);
    const own = await ScriptedIssuer.start();
    onTestFinished(() => own[Symbol.asyncDispose]());
    for (const header of [{ jku: `${own.issuer}/jwks` }, { x5u: `${own.issuer}/jwks` }, { jwk: own.keys[0] }]) {
      expect(await read(await own.token({ iss: issuer.issuer, aud: audience }, { kid, ...header }))).toBe(401);
    }
    expect(own.asked).toEqual([]);
    // With claims that differ from the signed ones.
    const [header, , signature] = (await issuer.token({ aud: audience })).split('.');
    expect(await read(`${header}.${encoded({ ...claims, sub: 'eve' })}.${signature}`)).toBe(401);
  });

  it('of one issuer is not accepted as a token of another', async () => {
    const second = await ScriptedIssuer.start();
    onTestFinished(() => second[Symbol.asyncDispose]());
    const third = await ScriptedIssuer.start();
    onTestFinished(() => third[Symbol.asyncDispose]());
    const { hub, issuer, read } = await hubWithIssuer();
    const entries = [issuer, second].map((each) => ({ issuer: each.issuer, audience }));
    hub.hub.apply({ ...hub.hub.tracker.config, oauth: { issuers: entries } });
    expect(await read(await issuer.token({ aud: audience }))).toBe(200);
    expect(await read(await second.token({ aud: audience }))).toBe(200);
    expect(await read(await second.token({ aud: audience, iss: issuer.issuer }))).toBe(401);
    expect(await read(await second.token({ aud: audience, iss: `${second.issuer}/` }))).toBe(401);
    expect(await read(await third.token({ aud: audience }))).toBe(401);
    expect(third.asked).toEqual([]);
  });

  it('with an unknown key causes few requests to the issuer, and does not delay others', async () => {
    const { issuer, read } = await hubWithIssuer({}, { token: 'whole' });
    expect(await read(await issuer.token({ aud: audience }))).toBe(200);
    for (let n = 0; n < 50; n += 1) {
      expect(await read(await issuer.token({ aud: audience, n }, { kid: `unknown ${n}` }))).toBe(401);
    }
    // Every five seconds at most, and a busy machine takes longer than that; issuer-keys.test.ts counts exactly.
    expect(issuer.asked.filter((path) => path === '/jwks').length).toBeLessThan(10);
    expect(await read('whole')).toBe(200);
    expect(await read(await issuer.token({ aud: audience }))).toBe(200);
  });

  it('that is far too long is refused, and the hub stays available', async () => {
    const { hub, issuer, read } = await hubWithIssuer();
    const long = await issuer.token({ aud: audience, more: 'x'.repeat(9000) });
    expect(await read(long)).toBe(200);
    const huge = await issuer.token({ aud: audience, more: 'x'.repeat(40_000) });
    expect([401, 431]).toContain((await hub.get(notePath, bearer(huge))).status);
    const deep = `${encoded({ alg: 'ES256', kid: 'first' })}.${Buffer.from('['.repeat(9000)).toString('base64url')}.x`;
    expect(await read(deep)).toBe(401);
    expect(await read(await issuer.token({ aud: audience }))).toBe(200);
  });
});

describe('an issuer that', () => {
  it('is removed while a token is being verified does not admit it', async () => {
    const { hub, issuer, read } = await hubWithIssuer({}, { token: 'whole' });
    let resolve: () => void = () => undefined;
    issuer.waitsFor = new Promise<void>((done) => (resolve = done));
    const reading = read(await issuer.token({ aud: audience }));
    await eventually('the request to the issuer', () => issuer.asked.length > 0);
    const { oauth: _oauth, ...config } = hub.hub.tracker.config;
    hub.hub.apply(config);
    resolve();
    expect(await reading).toBe(401);
  });

  it('publishes a weak key has its tokens refused', async () => {
    const { issuer, read } = await hubWithIssuer();
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    issuer.keys = [
      { ...publicKey.export({ format: 'jwk' }), kid: 'weak' },
      { kty: 'RSA', n: '!', e: '', kid: 'broken' },
    ];
    const claims = { iss: issuer.issuer, sub: 'ada', aud: audience, exp: inAnHour() };
    for (const kid of ['weak', 'broken']) {
      expect(await read(`${encoded({ alg: 'RS256', kid })}.${encoded(claims)}.${'A'.repeat(171)}`), kid).toBe(401);
    }
  });

  it('publishes also what is no key has the tokens of its keys accepted', async () => {
    const { issuer, read } = await hubWithIssuer();
    const [own] = issuer.keys;
    const keys = [null, 'first', {}, { kty: 'future', kid: 7 }, { kty: 'oct', k: 'c2VjcmV0', kid: 'first' }, own];
    issuer.answers.set('/jwks', { keys });
    expect(await read(await issuer.token({ aud: audience }))).toBe(200);
  });

  it('cannot be reached makes its own tokens unavailable only', async () => {
    const { hub, issuer, read } = await hubWithIssuer({}, { token: 'whole' });
    issuer.answers.set('/jwks', 500);
    const answer = await hub.get(notePath, bearer(await issuer.token({ aud: audience })));
    expect(answer.status).toBe(503);
    const message = expect.stringContaining(issuer.issuer);
    expect(await answer.json()).toMatchObject({ error: { code: 'UNAVAILABLE', message } });
    expect(await read('whole')).toBe(200);
    issuer.answers.clear();
    const token = await issuer.token({ aud: audience });
    await eventually('its keys', async () => (await read(token)) === 200, 10_000);
  });

  it.each([
    ['has the metadata of another', { issuer: 'https://other.example', jwks_uri: 'https://other.example/jwks' }],
    ['has keys elsewhere without TLS', { jwks_uri: 'http://other.example/jwks' }],
    ['has no keys', { jwks_uri: undefined }],
    ['leads elsewhere', 302],
  ])('%s is not trusted', async (_what, metadata) => {
    const { issuer, read } = await hubWithIssuer();
    const path = '/.well-known/oauth-authorization-server';
    issuer.answers.set(path, typeof metadata === 'number' ? metadata : { issuer: issuer.issuer, ...metadata });
    expect(await read(await issuer.token({ aud: audience }))).toBe(503);
  });
});
