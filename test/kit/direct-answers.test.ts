// Plain reads, lists and listens are answered without the SDK, and exactly as it would answer them: a short run of the
// comparison. test/fuzz/direct-answers.test.ts has the long one.
import { expect, it } from 'vitest';
import { plainRequest } from '../../packages/live/src/session/modern/plain-request.ts';
import { compareBothWays } from '../support/both-ways/ask-both-ways.ts';
import { serveBothWays } from '../support/both-ways/served-both-ways.ts';

// Seconds on a machine with nothing else to do.
const timeout = 120_000;

it('answers odd requests as the SDK does, headers and all', { timeout }, async () => {
  const servers = await serveBothWays();
  const { difference, directShare } = await compareBothWays(servers, { seed: 20_260_728, runs: 300 });
  await servers.close();
  expect(difference).toBeUndefined();
  expect(directShare).toBeGreaterThan(0.2);
});

it('finds a server that takes requests for plain without looking at their headers', { timeout }, async () => {
  const servers = await serveBothWays((_req, body) => plainRequest(body));
  const { difference } = await compareBothWays(servers, { seed: 20_260_728, runs: 300 });
  await servers.close();
  expect(difference).toContain('--- by the SDK');
});
