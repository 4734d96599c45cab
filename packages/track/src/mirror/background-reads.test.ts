import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import { expect, it } from 'vitest';
import { BackgroundReads } from './background-reads.ts';

async function pass(clock: FakeClock, ms: number): Promise<void> {
  clock.advance(ms);
  await eventLoopTurn();
}

it('reads each resource once, however often it is requested', async () => {
  const clock = new FakeClock();
  const read: string[] = [];
  const reads = new BackgroundReads(async (uri) => void read.push(uri), clock);
  for (const uri of ['a', 'b', 'a', 'c']) reads.request(uri);
  // The second is for the pause after a read.
  for (let turns = 0; turns < 2; turns += 1) await pass(clock, 0);
  expect(read.toSorted()).toEqual(['a', 'b', 'c']);
});

it('resources whose reads hang do not keep others from being read', async () => {
  const clock = new FakeClock();
  const read: string[] = [];
  const reads = new BackgroundReads(async (uri) => {
    read.push(uri);
    if (uri.startsWith('hanging')) await new Promise(() => undefined);
  }, clock);
  for (const uri of ['hanging 1', 'hanging 2', 'hanging 3', 'a']) reads.request(uri);
  await pass(clock, 0);
  expect(read).toEqual(['hanging 1', 'hanging 2']);
  await pass(clock, 4000);
  expect(read).toEqual(['hanging 1', 'hanging 2', 'hanging 3', 'a']);
});
