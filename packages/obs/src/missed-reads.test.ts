import { expect, it } from 'vitest';
import { MissedReads } from './missed-reads.ts';

it('returns each missed read once, and stores a limited number', () => {
  const missed = new MissedReads();
  for (const uri of ['obs://scene/A', 'obs://scene/A', 'obs://scene/B']) missed.add(uri);
  expect(missed.take()).toEqual(['obs://scene/A', 'obs://scene/B']);
  expect(missed.take()).toEqual([]);
  for (let n = 0; n < 10_001; n += 1) missed.add(`obs://scene/${n}`);
  expect(missed.take()).toHaveLength(10_000);
});
