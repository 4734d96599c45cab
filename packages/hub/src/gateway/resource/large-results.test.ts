import { eventLoopTurn } from '@tidings/live/time';
import { expect, it } from 'vitest';
import { LargeResults } from './large-results.ts';

const result = (length: number) => ({ contents: [{ uri: 'note://a', text: 'x'.repeat(length) }] });

it('one large result per turn of the event loop is passed on, and small ones at once', async () => {
  const results = new LargeResults();
  const passed: string[] = [];
  const pass = async (name: string, length: number) => {
    await results.turn(result(length));
    passed.push(name);
  };
  const all = [pass('large 1', 1_000_000), pass('large 2', 1_000_000), pass('small', 1000)];
  const seen: number[] = [];
  while (passed.length < all.length) {
    await eventLoopTurn();
    seen.push(passed.length);
  }
  expect(passed).toEqual(['small', 'large 1', 'large 2']);
  // Never both in one turn.
  expect(seen).toContain(2);
});
