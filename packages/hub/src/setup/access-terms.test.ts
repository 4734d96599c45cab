import type { Config } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { accessTerms } from './access-terms.ts';

const config = (change: Partial<Config>): Config => ({ servers: [], tokens: [], ...change });
const issuer = { issuer: 'https://id.example.com', audience: 'https://tidings.example.com/mcp' };
const deps = { file: 'servers.json', env: { A_TOKEN: 'a', SAME: 'a', token: 'b' } };

describe('the terms of access', () => {
  it('are the redactions of the configuration', async () => {
    const redactions = { numbers: { mask: ['\\d+'] } };
    const tokens = [{ env: 'A_TOKEN', allow: ['vcon://**'], redact: 'numbers' }];
    expect(Object.keys(await accessTerms(config({ tokens, redactions }), deps))).toEqual(['numbers']);
  });

  it.each<[string, Partial<Config>, RegExp]>([
    ['a variable that is not set', { tokens: [{ env: 'B_TOKEN' }] }, /^servers\.json: tokens\[0\]: env: .+ no B_TOKEN/],
    [
      'an ambiguous pattern',
      { tokens: [{ env: 'A_TOKEN', allow: ['a://b', 'a://b/../c'] }] },
      /tokens\[0\]: allow\.1: /,
    ],
    [
      'an unknown redaction',
      { tokens: [{ env: 'A_TOKEN', redact: 'nubmers' }] },
      /redact: There is no redaction "nubmers"/,
    ],
    ['a name of other callers', { tokens: [{ env: 'token' }] }, /tokens\[0\]: env: "token" means other callers here/],
    ['the value of another token', { tokens: [{ env: 'A_TOKEN' }, { env: 'SAME' }] }, /tokens\[1\]: env: SAME and A_T/],
    [
      'an ambiguous pattern of a grant',
      { oauth: { issuers: [{ ...issuer, grants: [{}, { allow: ['a://b/../c'] }] }] } },
      /oauth\.issuers\[0\] \("https:\/\/id\.example\.com"\): grants\.1\.allow\.0: /,
    ],
    [
      'an unknown redaction of a grant',
      { oauth: { issuers: [{ ...issuer, grants: [{ redact: 'nubmers' }] }] } },
      /grants\.0\.redact: There is no redaction "nubmers"/,
    ],
    ['an invalid redaction', { redactions: { numbers: { mask: 'x' } } }, /redactions\.numbers: mask/],
  ])('refuse %s, and name it', async (_, change, message) => {
    await expect(accessTerms(config(change), deps)).rejects.toThrow(message);
  });

  it('refuse an unknown redaction in the environment', async () => {
    const env = { TIDINGS_REDACT: 'nothing' };
    await expect(accessTerms(config({}), { file: undefined, env })).rejects.toThrow(/^TIDINGS_REDACT: There is no/);
  });
});
