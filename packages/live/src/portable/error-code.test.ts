import { expect, test } from 'vitest';
import { responseCode, systemCode } from './error-code.ts';

test('the code of an error of the system', () => {
  expect(systemCode(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(systemCode(Object.assign(new Error('not found'), { code: -32602 }))).toBeUndefined();
  for (const other of [new Error('closed'), undefined, null, 'ENOENT']) expect(systemCode(other)).toBeUndefined();
});

test('the code of an error response', () => {
  expect(responseCode({ code: -32602, data: { code: 'RESOURCE_NOT_FOUND' } })).toBe('RESOURCE_NOT_FOUND');
  expect(responseCode({ code: -32602, data: { code: 7 } })).toBe('-32602');
  expect(responseCode({ code: -32602 })).toBe('-32602');
});
