import { expect, it } from 'vitest';
import { concealer } from './concealer.ts';

const common = { id: 'x', enabled: true, trackResources: false };

it('hides the values of variables and headers, and the credentials and query of a URL', () => {
  const started = concealer({ ...common, command: 'x', args: [], env: { KEY: 'secret-1', LONGER: 'secret-1-2' } });
  expect(started('secret-1-2, then secret-1')).toBe('…, then …');
  const url = 'https://me:pass%20word@example.com/mcp?key=secret-3';
  const reached = concealer({ ...common, url, headers: { Authorization: 'Bearer secret-4', 'X-Key': 'secret-5' } });
  expect(reached('secret-3 secret-4 secret-5 pass%20word pass word')).toBe('… … … … …');
  expect(reached(`Basic ${btoa('me:pass word')}`)).toBe('Basic …');
});

it('keeps values that are too short for secrets, and accepts a malformed URL', () => {
  expect(concealer({ ...common, command: 'x', args: [], env: { PORT: '80', EMPTY: '' } })('port 80')).toBe('port 80');
  expect(concealer({ ...common, url: 'http://me:%zz12345@x/', headers: {} })('%zz12345')).toBe('…');
  expect(concealer({ ...common, builtin: 'x' })('text')).toBe('text');
});

it('hides values of the environment in any field', () => {
  const filledIn = ['secret-6'];
  const started = concealer({ ...common, command: 'x', args: ['--key=secret-6'], env: {}, filledIn });
  expect(started('unknown option --key=secret-6')).toBe('unknown option --key=…');
});
