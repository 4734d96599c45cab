import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('a number with its noun', () => {
  expect([0, 1, 2].map((count) => counted(count, 'event'))).toEqual(['0 events', '1 event', '2 events']);
});
