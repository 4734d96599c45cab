// Thousands of requests to a server that answers plain ones directly, and to one where the SDK answers all: status,
// headers, body and side effects are the same.
import { expect, test } from 'vitest';
import { compareBothWays } from '../support/both-ways/ask-both-ways.ts';
import { serveBothWays } from '../support/both-ways/served-both-ways.ts';
import { Campaign } from './attack/campaign.ts';

const campaign = new Campaign('test/fuzz/direct-answers.test.ts', 2);
const timeout = 60_000 + campaign.size * 20;

test(`${campaign.size} requests, directly and by the SDK (${campaign.repeat})`, { timeout }, async () => {
  const servers = await serveBothWays();
  const { difference, directShare } = await compareBothWays(servers, { seed: campaign.seed, runs: campaign.size });
  await servers.close();
  expect(difference).toBeUndefined();
  expect(directShare).toBeGreaterThan(0.2);
});
