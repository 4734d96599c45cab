import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { isPromiseLike } from './is-promise-like.ts';

it('isPromiseLike accepts promises of any class, and nothing else', () => {
  // Clients of remote procedures return functions with `then`, whose members are remote, too.
  const remote = new Proxy(() => 1, { has: () => true, get: () => () => undefined });
  const promises: unknown[] = [Promise.resolve(1), runInNewContext('Promise.resolve(1)'), remote];
  expect(promises.every(isPromiseLike)).toBe(true);
  const others: unknown[] = [undefined, null, true, 'then', {}, () => 1, JSON.parse('{ "then": 1 }')];
  expect(others.some(isPromiseLike)).toBe(false);
});
