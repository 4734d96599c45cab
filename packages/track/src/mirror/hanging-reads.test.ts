import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn, forEachLimited } from '@tidings/live/time';
import { expect, it } from 'vitest';
import { HangingReads } from './hanging-reads.ts';

async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    clock.advance(500);
    await eventLoopTurn();
  }
}

/** Reads of which each is answered by `answer`, and in which order they ended (true) or hung (false). */
function reading(most: number) {
  const clock = new FakeClock();
  const hanging = new HangingReads(clock, most);
  const answers = new Map<string, () => void>();
  const outcomes: [name: string, ends: boolean][] = [];
  const read = (name: string) => {
    const ends = hanging.ends(new Promise<void>((resolve) => answers.set(name, resolve)));
    void ends.then((isEnd) => outcomes.push([name, isEnd]));
  };
  const answer = async (name: string) => {
    answers.get(name)?.();
    await eventLoopTurn();
  };
  return { clock, read, answer, outcomes };
}

it('a server that is slow gets no more reads at a time, and all of its answers count', async () => {
  const clock = new FakeClock();
  const hanging = new HangingReads(clock, 8);
  const waiting: (() => void)[] = [];
  const counts = { most: 0, ended: 0 };
  const work = forEachLimited(Array.from({ length: 40 }).keys(), 8, clock, async () => {
    const ends = await hanging.ends(new Promise<void>((resolve) => waiting.push(resolve)));
    if (ends) counts.ended += 1;
  });
  for (let seconds = 0; seconds < 40; seconds += 1) {
    await pass(clock, 1000);
    counts.most = Math.max(counts.most, waiting.length);
    waiting.shift()?.();
  }
  await work;
  expect(counts).toEqual({ most: 8, ended: 40 });
});

it('a read hangs if a later one is answered before it', async () => {
  const { clock, read, answer, outcomes } = reading(0);
  for (const name of ['a', 'b', 'c']) read(name);
  await pass(clock, 500);
  await answer('b');
  await pass(clock, 4000);
  expect(outcomes).toEqual([
    ['b', true],
    ['a', false],
  ]);
  await pass(clock, 20_000);
  await answer('c');
  expect(outcomes.at(-1)).toEqual(['c', true]);
});

it('a read that was not sent, and ends at once, says nothing about the others', async () => {
  const { clock, read, answer, outcomes } = reading(0);
  for (const name of ['a', 'b']) read(name);
  await answer('b');
  await pass(clock, 20_000);
  expect(outcomes).toEqual([['b', true]]);
});

it('a few reads hang if nothing is answered at all', async () => {
  const { clock, read, answer, outcomes } = reading(2);
  for (const name of ['a', 'b', 'c', 'd']) read(name);
  await pass(clock, 20_000);
  expect(outcomes).toEqual([
    ['a', false],
    ['b', false],
  ]);
  await answer('a');
  await answer('b');
  await pass(clock, 4000);
  expect(outcomes.slice(2)).toEqual([
    ['c', false],
    ['d', false],
  ]);
});
