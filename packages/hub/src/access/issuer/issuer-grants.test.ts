import type { IssuerEntry, IssuerGrant } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { verifiedClaims } from './access-token.ts';
import { IssuerGrants } from './issuer-grants.ts';

const issuer = { issuer: 'https://id.example.com', audience: 'hub' };
const grantsOf = (grants?: IssuerGrant[], scopes?: string[]) => {
  const entry: IssuerEntry = { ...issuer, ...(grants && { grants }), ...(scopes && { scopes }) };
  return new IssuerGrants(entry, undefined);
};
const claims = (more: object = {}) => verifiedClaims({ iss: issuer.issuer, sub: 'ada', aud: 'hub', exp: 1, ...more });
/** Claims with a member as JSON has it, such as `__proto__`. */
const parsedClaims = (text: string) => claims(JSON.parse(text));
const applies = (grant: IssuerGrant, more: object) => grantsOf([grant]).of(claims(more)) !== undefined;

describe('the grant of a token', () => {
  it('without grants of its issuer reads everything and calls nothing', () => {
    const { grant, index } = grantsOf().of(claims()) ?? {};
    expect(index).toBeUndefined();
    expect(grant?.allow).toBeUndefined();
    expect([grant?.namesTool('notes', 'add'), grant?.namesPrompt('notes', 'ask'), grant?.isWhole]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('with everything is without limits', () => {
    expect(grantsOf([{ everything: true }]).of(claims())?.grant.isWhole).toBe(true);
  });

  it('has the terms of its entry', () => {
    const { grant } = grantsOf([{ tools: ['notes_add'], allow: ['note://a'] }]).of(claims()) ?? {};
    expect([grant?.namesTool('notes', 'add'), grant?.namesTool('notes', 'drop')]).toEqual([true, false]);
    expect([grant?.allow?.opens('note://a'), grant?.allow?.opens('note://b')]).toEqual([true, false]);
  });

  it('is the first that applies, and has an index where there are several', () => {
    const grants = grantsOf([{ scope: 'b' }, { scope: 'a' }, {}]);
    expect(grants.of(claims({ scope: 'a b' }))?.index).toBe(0);
    expect(grants.of(claims({ scope: 'a' }))?.index).toBe(1);
    expect(grants.of(claims())?.index).toBe(2);
    expect(grants.of(claims())?.grant).toBe(grants.of(claims())?.grant);
    const two = grantsOf([{ scope: 'a' }, { scope: 'b' }]);
    expect(two.of(claims({ scope: 'b' }))?.index).toBe(1);
    expect(two.of(claims())).toBeUndefined();
  });

  it.each<[scope: string, given: object, isGranted: boolean]>([
    ['a', { scope: 'a' }, true],
    ['a b', { scope: 'b a c' }, true],
    ['a b', { scope: 'a', scp: ['b'] }, true],
    ['a b', { scope: 'a' }, false],
    ['a', { scope: 'ab' }, false],
    ['a', { scope: 'A' }, false],
    ['a', {}, false],
    ['constructor', {}, false],
  ])('needs of the scopes "%s" all, and %j is enough: %s', (scope, given, isGranted) => {
    expect(applies({ scope }, given)).toBe(isGranted);
  });

  it.each<[wanted: IssuerGrant['claims'], given: object, isGranted: boolean]>([
    [{ role: 'admin' }, { role: 'admin' }, true],
    [{ role: 'admin' }, { role: ['user', 'admin'] }, true],
    [{ role: ['admin', 'owner'] }, { role: 'owner' }, true],
    [{ role: 'admin' }, { role: 'administrator' }, false],
    [{ role: 'admin' }, { role: { admin: true } }, false],
    [{ role: 'admin' }, { role: [['admin']] }, false],
    [{ role: 'admin' }, {}, false],
    [{ role: 'admin', team: 'a' }, { role: 'admin' }, false],
    [{ role: 'admin', team: 'a' }, { role: 'admin', team: ['a'] }, true],
    [{ level: '7' }, { level: 7 }, false],
    [{ role: 'undefined' }, {}, false],
    [{ role: 'null' }, { role: null }, false],
    [{ constructor: 'Object' }, {}, false],
    [{ 'realm_access.roles': 'admin' }, { realm_access: { roles: ['admin'] } }, true],
    [{ 'realm_access.roles': 'admin' }, { 'realm_access.roles': 'admin' }, true],
    [{ 'realm_access.roles': 'admin' }, { 'realm_access.roles': 'user', realm_access: { roles: ['admin'] } }, false],
    [
      { 'resource_access.app.example.com.roles': 'x' },
      { resource_access: { 'app.example.com': { roles: ['x'] } } },
      true,
    ],
    [{ 'a.b.c': 'x' }, { a: { d: 1 }, 'a.b': { c: 'x' } }, true],
    [{ 'a.b': 'x' }, { a: null }, false],
    [{ 'a.b': 'x' }, { a: 'b.x' }, false],
    [{ 'a.0': 'b' }, { a: 'bx' }, false],
    [{ 'a.constructor.name': 'Object' }, { a: {} }, false],
    [{ 'ab.c': 'x' }, { a: { 'b.c': 'x' } }, false],
    [{ 'a.': 'x' }, { a: { '': 'x' } }, true],
  ])('needs the claims %j, and %j has them: %s', (wanted, given, isGranted) => {
    expect(applies({ claims: wanted }, given)).toBe(isGranted);
  });

  it('needs both scope and claims', () => {
    const grant = { scope: 'a', claims: { role: 'admin' } };
    expect(applies(grant, { scope: 'a', role: 'admin' })).toBe(true);
    expect(applies(grant, { scope: 'a' })).toBe(false);
    expect(applies(grant, { role: 'admin' })).toBe(false);
  });

  it('takes no claim from the prototype of a token', () => {
    const grants = grantsOf([{ claims: { role: 'admin' } }]);
    expect(grants.of(parsedClaims('{"__proto__":{"role":"admin"}}'))).toBeUndefined();
  });
});

describe('the scopes to request', () => {
  it('are those of the grants, each once', () => {
    expect(grantsOf([{ scope: 'a b' }, { scope: 'b c' }, {}]).scopes).toEqual(['a', 'b', 'c']);
    expect(grantsOf().scopes).toEqual([]);
  });

  it('are those of the configuration instead, if it has any', () => {
    expect(grantsOf([{ scope: 'a' }], ['x y', 'y']).scopes).toEqual(['x', 'y']);
    expect(grantsOf([{ scope: 'a' }], []).scopes).toEqual([]);
  });

  it('are all of them if the token lacks one, and none if it has all', () => {
    const grants = grantsOf([{ scope: 'a b' }]);
    expect(grants.lackedBy(claims())).toEqual(['a', 'b']);
    expect(grants.lackedBy(claims({ scope: 'a' }))).toEqual(['a', 'b']);
    expect(grants.lackedBy(claims({ scope: 'b c a' }))).toEqual([]);
    expect(grantsOf().lackedBy(claims())).toEqual([]);
  });
});
