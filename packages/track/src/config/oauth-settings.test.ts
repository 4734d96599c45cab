import { expect, it } from 'vitest';
import { parseConfig } from './parse-config.ts';

const file = 'servers.json';
const url = 'https://example.com/mcp';
const issuer = 'https://id.example.com';

function oauthOf(oauth: unknown, env = {}) {
  const [entry] = parseConfig(JSON.stringify({ servers: [{ id: 'a', url, oauth }] }), { file, env }).servers;
  return entry && 'url' in entry ? entry : undefined;
}

it('oauth settings name the client of the login', () => {
  expect(oauthOf({})?.oauth).toEqual({});
  const clientMetadataUrl = 'https://tidings.example.com/client.json';
  expect(oauthOf({ clientMetadataUrl, scope: 'read' })?.oauth).toEqual({ clientMetadataUrl, scope: 'read' });
  const known = oauthOf({ clientId: 'me', clientSecret: '${SECRET}', issuer }, { SECRET: 'much-secret' });
  expect(known?.oauth).toEqual({ clientId: 'me', clientSecret: 'much-secret', issuer });
  expect(known?.filledIn).toEqual(['much-secret']);
});

it('oauth settings describe the login of a machine', () => {
  const grant = 'client_credentials';
  expect(oauthOf({ grant, clientId: 'me', clientSecret: 's', issuer })?.oauth).toMatchObject({ grant, issuer });
  const signed = oauthOf({ grant, clientId: 'me', privateKey: 'PEM', algorithm: 'ES256', issuer });
  expect(signed?.oauth).toMatchObject({ algorithm: 'ES256' });
});

it.each([
  ['word', 'oauth: must be an object.'],
  [{ grant: 'password' }, 'oauth.grant: must be "client_credentials", or left out where people log in.'],
  [{ clientSecret: 's', issuer }, 'oauth.clientId: is needed with "clientSecret".'],
  [{ clientId: 'me', clientSecret: 's' }, 'oauth.issuer: is needed with "clientSecret"'],
  [{ clientMetadataUrl: 'http://example.com/client.json' }, 'oauth.clientMetadataUrl: must be an https:// address.'],
  [{ clientID: 'me' }, 'oauth: there is no field "clientID".'],
  [{ grant: 'client_credentials', clientId: 'me', issuer }, 'oauth.clientSecret: or "privateKey" is needed'],
  [{ grant: 'client_credentials', clientId: 'me', clientSecret: 's' }, 'oauth.issuer: '],
  [{ clientId: '${NAME}' }, 'oauth.clientId: the environment has no NAME.'],
])('refuses %j, and names the field', (oauth, words) => {
  expect(() => oauthOf(oauth)).toThrow(`${file}: servers[0] ("a"): ${words}`);
});
