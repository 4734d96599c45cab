import { describe, expect, it } from 'vitest';
import { commandEntry, urlEntry } from '../config/config.ts';
import { loginAdvice, loginCommand, scopeAdvice } from './login-advice.ts';

const url = 'https://example.com/mcp';
const person = urlEntry.parse({ id: 'x', url });
const machine = urlEntry.parse({
  id: 'x',
  url,
  oauth: { grant: 'client_credentials', clientId: 'me', clientSecret: 's3cret', issuer: 'https://id.example.com' },
});
const withHeader = urlEntry.parse({ id: 'x', url, headers: { authorization: 'Bearer t' } });
const started = commandEntry.parse({ id: 'x', command: 'x' });
const command = 'tidings login x';
const conceal = (text: string) => text.replaceAll('s3cret', '…');
const advice = (
  entry: Parameters<typeof loginAdvice>[0]['entry'],
  login?: { problem?: string; wantedScope?: string },
  isUser = false,
) => {
  const known = login && { problem: login.problem ?? '', wantedScope: login.wantedScope };
  return loginAdvice({ entry, login: known, command, isUser }, conceal);
};

it('the command names the hub only for a user of it', () => {
  expect(loginCommand('x', undefined)).toBe('tidings login x');
  expect(loginCommand('x', 'https://hub.example.com')).toBe('tidings login x --hub https://hub.example.com');
});

describe('the operator', () => {
  it.each([
    ['a server that has no login', person, undefined],
    ['a server whose entry has a header', withHeader, {}],
    ['a process', started, {}],
  ])('sets headers for %s', (_, entry, login) => {
    const text = advice(entry, login);
    expect(text).toContain('got none or one that it does not accept: set "headers" in its entry');
    expect(text).not.toContain(command);
  });

  it('logs in', () => {
    expect(advice(person, {})).toContain(
      'Run "tidings login x": the hub connects as soon as you have logged in. Or set',
    );
  });

  it('asks for a scope that the login lacks', () => {
    expect(advice(person, { wantedScope: 'read write' })).toBe(
      'The server requires more permission than the login has (scope "read write"). Run "tidings login x" to ask for it.',
    );
  });

  it.each([
    ['', 'does not accept the token it was given'],
    [' \n\t', 'does not accept the token it was given'],
    ['invalid_client:\n the secret s3cret\u001b[31m is wrong', 'got no token: invalid_client: the secret …'],
  ])('checks the settings of a machine that has the problem %j', (problem, why) => {
    const text = advice(machine, { problem, wantedScope: 'more' });
    expect(text).toContain(`and ${why}`);
    expect(text).toContain('Check "oauth" in its entry.');
    expect(text).not.toMatch(/s3cret|\p{Cc}/u);
  });
});

describe('a user, who cannot edit the entry,', () => {
  it.each([
    ['without a login', undefined],
    ['with one that is not accepted', {}],
  ])('%s logs in', (_, login) => {
    for (const entry of [person, machine, started])
      expect(advice(entry, login, true)).toBe(
        'You are not logged in to this server, at which every user has a login of its own. Run "tidings login x".',
      );
  });

  it('asks for a scope that the login lacks', () => {
    expect(advice(person, { wantedScope: 'write' }, true)).toContain('(scope "write"). Run "tidings login x"');
  });
});

it('a scope is set in the entry of a machine, asked for by all others, and shortened', () => {
  expect(scopeAdvice({ entry: machine, command }, 'a')).toContain('Set "scope" of "oauth" in its entry.');
  expect(scopeAdvice({ entry: person, command }, 'a')).toContain(`Run "${command}"`);
  expect(scopeAdvice({ entry: started, command }, 'a')).toContain(`Run "${command}"`);
  expect(scopeAdvice({ entry: person, command }, 'a'.repeat(10_000)).length).toBeLessThan(300);
});
