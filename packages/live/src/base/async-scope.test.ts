import { executionAsyncId } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { AsyncScope } from './async-scope.ts';

it('an async scope is visible after every await inside it, and nowhere else', async () => {
  const scope = new AsyncScope<string>();
  const inside = async (value: string) => {
    await Promise.resolve();
    await new Promise((resolve) => void setImmediate(resolve));
    expect(scope.current()).toBe(value);
    return value;
  };
  expect(await Promise.all([scope.run('a', () => inside('a')), scope.run('b', () => inside('b'))])).toEqual(['a', 'b']);
  expect(scope.current()).toBeUndefined();
});

it('an async scope stops the tracking of promises once it is left', async () => {
  const scope = new AsyncScope<string>();
  const idAfterAwait = async () => {
    await Promise.resolve();
    return executionAsyncId();
  };
  // Promises have async ids only while they are tracked; other code of this process may track them too.
  const areFollowed = async () => (await idAfterAwait()) !== (await idAfterAwait());
  const before = await areFollowed();
  await scope.run('a', areFollowed);
  expect(await areFollowed()).toBe(before);
});

it('an async scope is left after a failure', async () => {
  const scope = new AsyncScope<string>();
  await expect(scope.run('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(scope.current()).toBeUndefined();
});
