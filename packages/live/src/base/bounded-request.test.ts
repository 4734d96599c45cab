import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { eventLoopTurn } from '../time/clock.ts';
import { NoAnswer, boundedRequest } from './bounded-request.ts';

const url = 'https://example.com/hook';

/** A response whose body is never complete. */
const unfinished: typeof fetch = async (_, init) =>
  new Response(
    new ReadableStream({
      start: (controller) => init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason)),
    }),
  );

it('the time of a request is also that of its body', async () => {
  const clock = new FakeClock();
  const bounds = { fetch: unfinished, clock, withinMs: 5000 };
  const asked = boundedRequest(url, {}, bounds, (response) => response.text());
  const outcome = expect(asked).rejects.toThrow(new NoAnswer(5000));
  await eventLoopTurn();
  clock.advance(5000);
  await outcome;
});

it('the signal of a caller ends it, which is not a missing answer', async () => {
  const controller = new AbortController();
  const bounds = { fetch: unfinished, clock: new FakeClock(), withinMs: 5000, signal: controller.signal };
  const asked = boundedRequest(url, {}, bounds, (response) => response.text());
  const outcome = expect(asked).rejects.toThrow('stopped');
  await eventLoopTurn();
  controller.abort(new Error('stopped'));
  await outcome;
});

it.each([
  [{}, 'manual'],
  [{ redirect: 'error' } as const, 'error'],
])('redirects are not followed unless that is asked for: %j', async (init, expected) => {
  const sent: RequestInit[] = [];
  const fetch: typeof globalThis.fetch = async (_, each = {}) => {
    sent.push(each);
    return new Response('{}');
  };
  await boundedRequest(url, init, { fetch, clock: new FakeClock(), withinMs: 1 }, async () => undefined);
  expect(sent.map(({ redirect }) => redirect)).toEqual([expected]);
});
