import { expect, it } from 'vitest';
import { configChange } from './config-change.ts';
import { parseConfig } from './parse-config.ts';

const file = 'servers.json';
const url = 'https://example.com/mcp';
const id = 'a';

function parsed(...servers: object[]) {
  return parseConfig(JSON.stringify({ servers }), { file, env: { TOKEN: 'secret' } });
}

it('says whose login is used', () => {
  const [entry] = parsed({
    id,
    url,
    login: 'per-user',
    headers: { 'X-Region': 'eu' },
    oauth: { clientId: 'me' },
  }).servers;
  expect(entry).toMatchObject({ login: 'per-user' });
  expect(parsed({ id, url, login: 'shared' }).servers[0]).toMatchObject({ login: 'shared' });
  expect(
    parseConfig(JSON.stringify({ mcpServers: { a: { url, login: 'per-user' } } }), { file, env: {} }).servers[0],
  ).toMatchObject({ login: 'per-user' });
});

const machine = { grant: 'client_credentials', clientId: 'me', clientSecret: 's', issuer: 'https://id.example.com' };
const same = 'would be the same for all callers, so "login" cannot be "per-user".';

it.each([
  [{ url, login: 'mine' }, 'login: must be "shared" or "per-user".'],
  [{ url, login: true }, 'login: must be "shared" or "per-user".'],
  [{ url, login: 'per-user', oauth: machine }, `oauth.grant: "client_credentials" ${same}`],
  [{ url, login: 'per-user', headers: { authorization: 'Bearer ${TOKEN}' } }, `headers.authorization: ${same}`],
  [{ url: 'https://me@example.com/mcp', login: 'per-user' }, `url: its user and password ${same}`],
  [{ url: 'https://:word@example.com/mcp', login: 'per-user' }, `url: its user and password ${same}`],
  [{ command: 'node', login: 'per-user' }, 'there is no field "login".'],
  [{ builtin: 'vcon', login: 'shared' }, 'there is no field "login".'],
])('refuses %j, and names the field', (entry, words) => {
  expect(() => parsed({ id, ...entry })).toThrow(`${file}: servers[0] ("a"): ${words}`);
});

it('refuses another entry that would use the login of the operator at the same address', () => {
  const perUser = { id, url, login: 'per-user' };
  const words = `${file}: server "b": login: "a" has the same address with "per-user": give both the same "login".`;
  expect(() => parsed(perUser, { id: 'b', url: `${url}#part` })).toThrow(words);
  expect(() => parsed({ id: 'b', url: 'https://EXAMPLE.com:443/mcp' }, perUser)).toThrow(words);
  const others = [
    { id: 'b', url, login: 'per-user' },
    { id: 'c', url, headers: { Authorization: 'Bearer ${TOKEN}' } },
    { id: 'd', url: `${url}/other` },
  ];
  expect(parsed(perUser, ...others).servers).toHaveLength(4);
});

it('an entry with another kind of login is another server', () => {
  const [before, after] = [parsed({ id, url }), parsed({ id, url, login: 'per-user' })];
  const change = configChange(before, after);
  expect([change.removed, change.added]).toEqual([before.servers, after.servers]);
  const still = configChange(before, parsed({ id, url, login: 'shared' }));
  expect([still.removed, still.added]).toEqual([[], []]);
});
