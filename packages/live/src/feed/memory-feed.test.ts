import { describe, it } from 'vitest';
import { feedCases } from '../testing/feed-cases.ts';
import { MemoryFeed } from './memory-feed.ts';

describe('the feed of one process', () => {
  for (const { name, run } of feedCases) {
    it(name, () => run(async (horizon) => ({ feed: new MemoryFeed(horizon), close: () => Promise.resolve() })));
  }
});
