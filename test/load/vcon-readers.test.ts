// Many readers and writers for ten seconds. `npm run soak` runs more of them for longer.
import { expect, it } from 'vitest';
import { loadVcons } from '../vcon/load.ts';

it('200 readers and 20 writers: no error, no stale read after a notification, and all see the last value', async () => {
  const { problems, reads, writes, notifications } = await loadVcons({ readers: 200, writers: 20, seconds: 10 });
  expect(problems).toEqual([]);
  expect(writes).toBeGreaterThanOrEqual(20);
  expect(notifications).toBeGreaterThanOrEqual(200);
  // Each reader reads at its start, and at least once for the last change.
  expect(reads).toBeGreaterThanOrEqual(400);
}, 300_000);
