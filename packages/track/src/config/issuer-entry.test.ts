import { describe, expect, it } from 'vitest';
import { parseConfig } from './parse-config.ts';

const file = 'servers.json';
const issuer = 'https://id.example.com';
const audience = 'https://tidings.example.com/mcp';
const servers = [{ id: 'notes', url: 'https://example.com/mcp' }];

function issuersOf(...issuers: unknown[]) {
  return parseConfig(JSON.stringify({ servers, oauth: { issuers } }), { file, env: {} }).oauth?.issuers;
}

describe('issuers of access tokens', () => {
  it('have an audience, grants and limits', () => {
    expect(issuersOf({ issuer, audience })).toEqual([{ issuer, audience }]);
    const grants = [
      { scope: 'admin', everything: true },
      { claims: { groups: ['a', 'b'], team: 'c' }, servers: ['notes'], tools: ['notes_*'], redact: 'contact-details' },
      { allow: ['note://**'] },
    ];
    const whole = { issuer, audience, grants, scopes: ['read'], limits: { streams: 5 }, mentionChanges: false };
    expect(issuersOf(whole, { issuer: 'http://127.0.0.1:8080', audience: 'api://hub' })?.[0]).toEqual(whole);
    expect(parseConfig('{"servers":[]}', { file, env: {} }).oauth).toBeUndefined();
  });

  it.each([
    [{ audience }, 'issuer: must be a string.'],
    [{ issuer: 'id.example.com', audience }, 'issuer: must be an address such as https://id.example.com.'],
    [{ issuer: 'http://id.example.com', audience }, 'issuer: must begin with https://, except on this machine.'],
    [{ issuer: 'http://127.0.0.1.example.com', audience }, 'issuer: must begin with https://, except on this machine.'],
    [{ issuer: 'https://me:secret@id.example.com', audience }, 'issuer: must not have a user name or password.'],
    [{ issuer: `${issuer}?a=b`, audience }, 'issuer: must have neither a query nor a fragment.'],
    [{ issuer: `${issuer}#`, audience }, 'issuer: must have neither a query nor a fragment.'],
    [{ issuer: 'https://${HOST}', audience }, 'issuer: must be written out: variables are filled in for servers only.'],
    [{ issuer, audience: '${HUB}/mcp' }, 'audience: must be written out: variables are filled in for servers only.'],
    [{ issuer }, 'audience: must be a string.'],
    [{ issuer, audience: ' ' }, 'audience: must be what the issuer writes into "aud"'],
    [{ issuer, audience, grants: [] }, 'grants: must have an entry'],
    [{ issuer, audience, grants: [{ scope: 'a  b' }] }, 'grants.0.scope: must be scopes, with one space between two.'],
    [{ issuer, audience, grants: [{ scope: 'a offline_access' }] }, 'grants.0.scope: must not have "offline_access"'],
    [{ issuer, audience, scopes: ['a"b'] }, 'scopes.0: must be scopes'],
    [{ issuer, audience, grants: [{ claims: { a: 1 } }] }, 'grants.0.claims.a: must be a text or several.'],
    [{ issuer, audience, grants: [{ claims: {} }] }, 'grants.0.claims: must name a claim.'],
    [
      { issuer, audience, grants: [{ claims: JSON.parse('{"__proto__":"a"}') }] },
      'grants.0.claims: must name a claim.',
    ],
    [{ issuer, audience, grants: [{ everything: true, tools: ['x'] }] }, 'grants.0.everything: has no limits'],
    [{ issuer, audience, grants: [{ everything: false }] }, 'grants.0.everything: must be true, or left out.'],
    [{ issuer, audience, tools: ['x'] }, 'there is no field "tools".'],
  ])('refuse %j, and name the field', (entry, words) => {
    expect(() => issuersOf(entry)).toThrow(`${file}: oauth.issuers[0]: ${words}`);
  });

  it('are refused where one would never be used, or names no server', () => {
    const label = `${file}: oauth.issuers[0] ("${issuer}"): `;
    const grants = (...all: object[]) => issuersOf({ issuer, audience, grants: all });
    const never = (at: number, because: number) =>
      `${label}grants.${at}: is never used, because grants.${because} applies`;
    expect(() => grants({}, { scope: 'a' })).toThrow(never(1, 0));
    expect(() => grants({ scope: 'b' }, { scope: 'a' }, { scope: 'c a' })).toThrow(never(2, 1));
    expect(() => grants({ claims: { a: ['x', 'y'] } }, { scope: 'b', claims: { a: 'y', c: 'z' } })).toThrow(
      never(1, 0),
    );
    const useful = [
      { scope: 'a b', claims: { a: 'x' } },
      { scope: 'a', claims: { a: 'x' } },
      { claims: { a: 'x' } },
      { claims: { a: ['x', 'y'] } },
      { scope: 'a' },
      {},
    ];
    expect(grants(...useful)).toHaveLength(1);
    expect(() => grants({ servers: ['nots'] })).toThrow(`${label}grants.0.servers.0: there is no server "nots".`);
    expect(() => issuersOf({ issuer, audience }, { issuer, audience: 'other' })).toThrow(
      `${file}: oauth.issuers[1] ("${issuer}"): issuer: another entry has it too.`,
    );
    expect(() => issuersOf()).toThrow(`${file}: oauth.issuers: must have an entry.`);
  });
});
