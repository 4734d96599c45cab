// The requirements of every change feed, as cases for any test runner: `for (const { name, run } of feedCases) it(name,
// () => run(openFeed))`.
import assert from 'node:assert/strict';
import type { Change, ChangeFeed, ChangeReader } from '../feed/change.ts';
import { eventually } from './eventually.ts';

/** A fresh feed with a horizon of `horizon` changes, and how to close it. */
export type OpenFeed = (horizon: number) => Promise<{ feed: ChangeFeed; close: () => Promise<void> }>;

/** One requirement of every feed. */
export interface FeedCase {
  name: string;
  run(this: void, open: OpenFeed): Promise<void>;
}

class Recorder implements ChangeReader {
  readonly changes: Change[] = [];
  gaps = 0;

  change(change: Change): void {
    this.changes.push(change);
  }

  gap(): void {
    this.gaps += 1;
  }

  get topics(): string[] {
    return this.changes.flatMap(({ topics }) => topics);
  }

  async sees(topic: string): Promise<void> {
    await eventually(`a change of ${topic}`, () => this.topics.includes(topic));
  }
}

/** The requirements of every feed: `for (const { name, run } of feedCases) it(name, () => run(open))`. */
export const feedCases: readonly FeedCase[] = [
  feedCase('delivers changes in order', 100, async (feed) => {
    const reader = new Recorder();
    feed.follow(reader);
    for (const topic of ['a', 'b', 'c', 'd']) await feed.announce([topic]);
    await reader.sees('d');
    assert.deepEqual(reader.topics, ['a', 'b', 'c', 'd']);
  }),
  feedCase('keeps the topics of one change together', 100, async (feed) => {
    const reader = new Recorder();
    feed.follow(reader);
    await feed.announce(['a', 'b']);
    await reader.sees('b');
    assert.deepEqual(reader.changes[0]?.topics, ['a', 'b']);
  }),
  feedCase('starts a new reader at the present', 100, async (feed) => {
    const early = new Recorder();
    const late = new Recorder();
    feed.follow(early);
    await feed.announce(['before']);
    await early.sees('before');
    feed.follow(late);
    await feed.announce(['after']);
    await late.sees('after');
    assert.deepEqual(late.topics, ['after']);
    assert.equal(late.gaps, 0);
  }),
  feedCase('replays what came after a known position', 100, async (feed) => {
    const first = new Recorder();
    feed.follow(first);
    for (const topic of ['a', 'b', 'c']) await feed.announce([topic]);
    await first.sees('c');
    const position = first.changes[0]?.cursor;
    const second = new Recorder();
    feed.follow(second, position);
    await second.sees('c');
    // It may begin a little earlier, but not later.
    assert.deepEqual(second.topics.slice(-2), ['b', 'c']);
    assert.equal(second.gaps, 0);
  }),
  feedCase('answers with a gap when the position is behind the horizon', 4, async (feed) => {
    const first = new Recorder();
    feed.follow(first);
    for (let n = 0; n < 20; n += 1) await feed.announce([`change ${n}`]);
    await first.sees('change 19');
    const late = new Recorder();
    feed.follow(late, first.changes[0]?.cursor);
    await eventually('a gap', () => late.gaps === 1);
    await feed.announce(['later']);
    await late.sees('later');
  }),
  feedCase('answers with a gap when the position is not one of its own', 100, async (feed) => {
    const reader = new Recorder();
    feed.follow(reader, 'a position in another feed');
    await eventually('a gap', () => reader.gaps === 1);
  }),
  feedCase('tells a reader that left nothing more', 100, async (feed) => {
    const stays = new Recorder();
    const leaves = new Recorder();
    feed.follow(stays);
    const leave = feed.follow(leaves);
    await feed.announce(['a']);
    await leaves.sees('a');
    leave();
    await feed.announce(['b']);
    await stays.sees('b');
    assert.deepEqual(leaves.topics, ['a']);
  }),
];

function feedCase(name: string, horizon: number, test: (feed: ChangeFeed) => Promise<void>): FeedCase {
  const run = async (open: OpenFeed) => {
    const { feed, close } = await open(horizon);
    try {
      await test(feed);
    } finally {
      await close();
    }
  };
  return { name, run };
}
