import { describe, expect, it } from 'vitest';
import { Tokens, type TokensOptions, isAnonymous } from './tokens.ts';

const env = { A: 'token-a', B: 'token-b' };
const config = (...tokens: TokensOptions['config']['tokens']) => ({ tokens });
const session = { id: 'browser-1', expiresAt: Date.parse('2027-01-01') };

describe('tokens', () => {
  it('admit every request if there are none', () => {
    const tokens = new Tokens({ config: config(), env });
    const { anonymous } = tokens;
    expect(anonymous && isAnonymous({ auth: anonymous })).toBe(true);
    expect(anonymous && tokens.admits(anonymous)).toBe(true);
    expect(tokens.bearerOf('token-a')).toBeUndefined();
  });

  it('admit only requests with a token, each with its own terms', () => {
    const tokens = new Tokens({ whole: 'all', config: config({ env: 'A', servers: ['notes'] }), env });
    expect(tokens.anonymous).toBeUndefined();
    expect(tokens.bearerOf('all')?.grant.isWhole).toBe(true);
    expect(tokens.bearerOf('token-a')).toMatchObject({ subject: 'A', grant: { isWhole: false } });
    expect(['', 'token-', 'token-a ', 'A'].map((given) => tokens.bearerOf(given))).toEqual(Array(4).fill(undefined));
  });

  it('ignore entries whose variable is not set', () => {
    const tokens = new Tokens({ config: config({ env: 'A' }, { env: 'MISSING' }), env });
    expect(tokens.subjects).toEqual(['A']);
  });

  it('refuse two names for one secret, because the principal would be ambiguous', () => {
    const twice = { config: config({ env: 'A' }, { env: 'B' }), env: { A: 'same', B: 'same' } };
    expect(() => new Tokens(twice)).toThrow('tokens[1]: env:');
  });

  it('keep the principal of an unchanged token across an edit', () => {
    const before = new Tokens({ config: config({ env: 'A' }, { env: 'B', servers: ['notes'] }), env });
    const after = new Tokens({ config: config({ env: 'A' }, { env: 'B', servers: ['vcon'] }), env, before });
    const [a, b] = [before.bearerOf('token-a'), before.bearerOf('token-b')];
    expect(after.bearerOf('token-a')).toBe(a);
    expect(after.bearerOf('token-b')).not.toBe(b);
    expect([a && after.admits(a), b && after.admits(b)]).toEqual([true, false]);
    expect(after.hasSubject('B')).toBe(true);
  });

  it('sign sessions of browsers, which end with their token', () => {
    const tokens = new Tokens({ config: config({ env: 'A' }, { env: 'B' }), env });
    const value = tokens.sessionFor('token-a', session) ?? '';
    expect(tokens.ofSession(value)).toEqual({ principal: tokens.bearerOf('token-a'), session });
    expect(tokens.sessionFor('wrong', session)).toBeUndefined();
    const changed = new Tokens({ config: config({ env: 'A' }), env: { A: 'token-c' } });
    expect(changed.ofSession(value)).toBeUndefined();
  });

  it('do not accept a forged session', () => {
    const tokens = new Tokens({ config: config({ env: 'A' }), env });
    const value = tokens.sessionFor('token-a', session) ?? '';
    const [expiry, id, signature] = value.split('.');
    const forged = [
      `${expiry}.browser-2.${signature}`,
      `zzzz.${id}.${signature}`,
      `${expiry}.${id}.${'A'.repeat(43)}`,
      '',
    ];
    expect(forged.map((each) => tokens.ofSession(each))).toEqual(Array(4).fill(undefined));
  });
});
