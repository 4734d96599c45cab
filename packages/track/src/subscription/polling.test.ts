import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { Polling } from './polling.ts';

const bounds = { usualMs: 15_000, shortestMs: 1000, longestMs: 300_000 };

function polling(answers: (number | undefined)[]) {
  const clock = new FakeClock();
  const readAt: number[] = [];
  const read = async () => {
    readAt.push(clock.now());
    return answers.shift();
  };
  return { clock, readAt, polled: new Polling({ read, bounds, clock, random: () => 0.5 }) };
}

async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    clock.advance(Math.min(500, left));
    for (let n = 0; n < 5; n += 1) await Promise.resolve();
  }
}

it('respects ttlMs, also after a failed read and in a new session', async () => {
  const { clock, readAt, polled } = polling([1000, undefined, 1000]);
  polled.add('note://1');
  await pass(clock, 7500);
  expect(readAt).toEqual([5000, 6000, 7000]);
  polled.close();
  polled.add('note://1');
  await pass(clock, 1500);
  expect(readAt).toEqual([5000, 6000, 7000, 8500]);
});

it('forgets resources that are no longer polled', async () => {
  const { clock, readAt, polled } = polling([1000]);
  polled.add('note://1');
  await pass(clock, 5000);
  polled.delete('note://1');
  polled.add('note://1');
  await pass(clock, 4500);
  expect(readAt).toEqual([5000]);
});

it('waits for a limited number of responses at a time, and then reads the next', async () => {
  const clock = new FakeClock();
  const answers: (() => void)[] = [];
  const uris = new Set<string>();
  const read = (uri: string) => {
    uris.add(uri);
    return new Promise<undefined>((resolve) => void answers.push(() => resolve(undefined)));
  };
  const polled = new Polling({ read, bounds, clock, random: () => 0.5 });
  for (let n = 0; n < 100; n += 1) polled.add(`note://${n}`);
  await pass(clock, 60_000);
  expect(uris.size).toBe(32);
  polled.delete('note://40');
  for (let n = 0; n < 3; n += 1) {
    for (const answer of answers.splice(0)) answer();
    await pass(clock, 500);
  }
  expect(uris.size).toBe(99);
  expect(uris).not.toContain('note://40');
});
