import { expect, it } from 'vitest';
import { LoginRefused, quotedLine } from './login-refused.ts';

it.each([
  ['error=access_denied', 'You, or the authorization server, did not allow it.'],
  [
    'error=access_denied&error_description=Not%20today',
    'You, or the authorization server, did not allow it: Not today',
  ],
  ['error=server_error', 'The authorization server failed.'],
  ['error=other%0Aerror', 'The authorization server refused (other error).'],
  ['error=', 'The authorization server refused ().'],
  ['error=constructor', 'The authorization server refused (constructor).'],
  ['error=__proto__', 'The authorization server refused (__proto__).'],
  ['', 'The callback has neither a code nor an error: start the login again.'],
  ['error_description=x', 'The callback has neither a code nor an error: start the login again.'],
])('the callback "%s" means: %s', (callback, message) => {
  expect(LoginRefused.ofCallback(new URLSearchParams(callback)).message).toBe(message);
});

it('quotes text of another server as one short line without control characters', () => {
  expect(quotedLine(' a\r\n\tb\u001b[31m ')).not.toMatch(/\p{Cc}/u);
  expect(quotedLine('\n a\n\n b ')).toBe('a b');
  expect(quotedLine('x'.repeat(100_000)).length).toBeLessThanOrEqual(201);
});
