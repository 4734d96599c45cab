import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { forEachLimited } from './for-each-limited.ts';

it('works for each item, a few at a time', async () => {
  const finished: number[] = [];
  let [running, most] = [0, 0];
  await forEachLimited([1, 2, 3, 4, 5], 2, new FakeClock(), async (item) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    finished.push(item);
  });
  expect(finished).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

it('rejects where the work does', async () => {
  const work = async () => Promise.reject(new Error('own'));
  await expect(forEachLimited([1], 2, new FakeClock(), work)).rejects.toThrow('own');
});
