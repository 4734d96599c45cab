import type { Progress } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { ProgressRelay } from './progress-relay.ts';

function setting() {
  const clock = new FakeClock();
  const sent: Progress[] = [];
  return { clock, sent, relay: new ProgressRelay(clock, (progress) => void sent.push(progress)) };
}

it('progress: the first notifications are passed on at once, and of many more the latest', () => {
  const { clock, sent, relay } = setting();
  for (let progress = 1; progress <= 10_000; progress += 1) relay.push({ progress });
  expect(sent.map(({ progress }) => progress)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
  clock.advance(100);
  expect(sent).toHaveLength(22);
  expect(sent.at(-1)).toEqual({ progress: 10_000 });
  clock.advance(1000);
  relay.push({ progress: 10_001 });
  expect(sent.at(-1)).toEqual({ progress: 10_001 });
});

it('progress: the pending notification is passed on when the call ends, and none afterwards', () => {
  const { clock, sent, relay } = setting();
  for (let progress = 1; progress <= 30; progress += 1) relay.push({ progress });
  relay.end();
  expect(sent.at(-1)).toEqual({ progress: 30 });
  const { length } = sent;
  clock.advance(1000);
  expect(sent).toHaveLength(length);
});

it('progress: additional fields are passed on', () => {
  const { sent, relay } = setting();
  const added = { progress: 1, _meta: { 'example.com/step': 'loading' } };
  relay.push(added);
  expect(sent).toEqual([added]);
});

it('progress: very large additional fields are left out', () => {
  const { sent, relay } = setting();
  const large = { progress: 1, total: 2, _meta: { text: 'x'.repeat(1_000_000) } };
  relay.push(large);
  expect(sent).toEqual([{ progress: 1, total: 2 }]);
});

it('progress: a very long message is shortened', () => {
  const { sent, relay } = setting();
  relay.push({ progress: 1, message: 'x'.repeat(1_000_000) });
  expect(sent[0]?.message).toHaveLength(1000);
  relay.push({ progress: 2, message: `${'x'.repeat(999)}😀` });
  expect(sent[1]?.message).toBe('x'.repeat(999));
});
