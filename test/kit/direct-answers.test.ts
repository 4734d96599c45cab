// Plain reads, lists and listen requests bypass the SDK, with the same responses: a short run of the comparison.
// test/fuzz/direct-answers.test.ts is the long one.
import { expect, it } from 'vitest';
import { plainRequest } from '../../packages/live/src/session/modern/plain-request.ts';
import { compareBothWays } from '../support/both-ways/ask-both-ways.ts';
import { serveBothWays } from '../support/both-ways/served-both-ways.ts';

// On an idle machine it takes seconds.
const timeout = 120_000;

it('answers unusual requests as the SDK does, including headers', { timeout }, async () => {
  const servers = await serveBothWays();
  const { difference, directShare } = await compareBothWays(servers, { seed: 20_260_728, runs: 300 });
  await servers.close();
  expect(difference).toBeUndefined();
  expect(directShare).toBeGreaterThan(0.2);
});

it('the comparison finds a server that ignores the headers of plain requests', { timeout }, async () => {
  const servers = await serveBothWays((_req, body) => plainRequest(body));
  const { difference } = await compareBothWays(servers, { seed: 20_260_728, runs: 300 });
  await servers.close();
  expect(difference).toContain('--- by the SDK');
});
