import { getEventListeners } from 'node:events';
import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { withRetransmission } from './with-retransmission.ts';

function asking() {
  const clock = new FakeClock();
  const asked: { answer(text: string): void; fail(error: Error): void; isGivenUp: boolean }[] = [];
  const answer = withRetransmission(clock, [4000, 8000], () => {
    const copy = asked.length;
    const answered = new Promise<string>((resolve, reject) => {
      asked.push({ answer: resolve, fail: reject, isGivenUp: false });
    });
    return { answer: answered, cancel: () => Object.assign(asked[copy] ?? {}, { isGivenUp: true }) };
  });
  return { clock, asked, answer };
}

it('a request with a fast response is sent once', async () => {
  const { clock, asked, answer } = asking();
  asked[0]?.answer('text');
  expect(await answer).toBe('text');
  clock.advance(60_000);
  expect(asked.map(({ isGivenUp }) => isGivenUp)).toEqual([false]);
});

it('a request without a response is sent again, and the other copies are cancelled after the first response', async () => {
  const { clock, asked, answer } = asking();
  clock.advance(4000);
  expect(asked).toHaveLength(2);
  clock.advance(8000);
  clock.advance(60_000);
  expect(asked).toHaveLength(3);
  asked[1]?.answer('text');
  expect(await answer).toBe('text');
  expect(asked.map(({ isGivenUp }) => isGivenUp)).toEqual([true, false, true]);
});

it('a request whose response is an error is not sent again', async () => {
  const { clock, asked, answer } = asking();
  clock.advance(4000);
  asked[1]?.fail(new Error('No such resource.'));
  await expect(answer).rejects.toThrow('No such resource.');
});

it('a request leaves no listener on the signal of its caller after the response', async () => {
  const { signal } = new AbortController();
  const ask = () => ({ answer: Promise.resolve('text'), cancel: () => undefined });
  expect(await withRetransmission(new FakeClock(), [4000], ask, signal)).toBe('text');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
