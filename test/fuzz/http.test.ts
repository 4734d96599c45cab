// Almost valid requests over HTTP to a server process: no crash, no hang, no failure without a cause, no leak.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Campaign } from './attack/campaign.ts';
import { attackHttp } from './attack/http-campaign.ts';
import { Target } from './attack/target.ts';

const campaign = new Campaign('test/fuzz/http.test.ts', 0.8);
const timeout = 60_000 + campaign.size * 20;
const maxGrowthBytes = 24 * 1024 * 1024;
let target: Target;

beforeAll(() => {
  target = new Target();
});
afterAll(() => target.kill());

test(`${campaign.size} unusual requests over HTTP (${campaign.repeat})`, { timeout }, async () => {
  const { url } = await target.addresses();
  const before = await target.weigh();
  await attackHttp(target, url, campaign);
  campaign.conclude();
  const after = await target.weigh();
  expect(after.heapBytes - before.heapBytes, 'bytes of heap kept').toBeLessThan(maxGrowthBytes);
  const end = await target.close();
  expect(end).toMatchObject({ streams: 0, sessions: 0, subscribers: 0, watched: 0, complaints: [] });
});
