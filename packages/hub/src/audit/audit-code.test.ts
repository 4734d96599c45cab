import { expect, it } from 'vitest';
import { auditCode, outcomeOf } from './audit-code.ts';

it.each([
  ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'refused'],
  ['-32602', 'INVALID_PARAMS', 'error'],
  ['-32002', 'RESOURCE_NOT_FOUND', 'error'],
  ['-1', '-1', 'error'],
  ['HTTP_401', 'PERMISSION_DENIED', 'refused'],
  ['HTTP_415', 'UNSUPPORTED_MEDIA_TYPE', 'refused'],
  ['HTTP_503', 'UNAVAILABLE', 'error'],
  ['HTTP_418', 'HTTP_418', 'error'],
  ['WRONG_TOKEN', 'WRONG_TOKEN', 'refused'],
])('%s is recorded as %s, %s', (given, code, outcome) => {
  expect(auditCode(given)).toBe(code);
  expect(outcomeOf(auditCode(given))).toBe(outcome);
});

it('no code is a success', () => {
  expect(outcomeOf(undefined)).toBe('ok');
});
