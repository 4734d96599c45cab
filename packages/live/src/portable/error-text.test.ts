import { expect, test } from 'vitest';
import { asError, messageOf } from './error-text.ts';

test('the message of what was thrown', () => {
  expect(messageOf(new TypeError('No such file.'))).toBe('No such file.');
  expect(messageOf('closed')).toBe('closed');
  expect(messageOf(undefined)).toBe('undefined');
});

test('what was thrown, as an error', () => {
  const error = new TypeError('No such file.');
  expect(asError(error)).toBe(error);
  expect(asError('closed')).toEqual(new Error('closed'));
});
