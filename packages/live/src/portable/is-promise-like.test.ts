import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { isPromiseLike } from './is-promise-like.ts';

it('isPromiseLike accepts promises of any class, and nothing else', () => {
  const promises: unknown[] = [Promise.resolve(1), runInNewContext('Promise.resolve(1)')];
  expect(promises.every(isPromiseLike)).toBe(true);
  const others: unknown[] = [undefined, null, true, 'then', {}, JSON.parse('{ "then": 1 }')];
  expect(others.some(isPromiseLike)).toBe(false);
});
