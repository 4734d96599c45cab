import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** A server that never answers. */
const silent: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));

it.each([
  [15, {}],
  [5, { withinMs: 5000 }],
])('a request without an answer ends after %d s', async (seconds, bounds) => {
  const clock = new FakeClock();
  const asked = boundedFetch(silent, clock, bounds)('https://example.com/revoke');
  const outcome = expect(asked).rejects.toThrow(`There was no answer within ${seconds} s.`);
  clock.advance(seconds * 1000);
  await outcome;
});
