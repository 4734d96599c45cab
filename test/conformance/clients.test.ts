// The client scenarios of the official conformance suite. The client is the tracker's, with the hub and a host's
// client in front of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someAtOnce } from '../hostile/support/some-at-once.ts';
import { describeWith } from '../support/run/needs.ts';
import { isWhole } from '../support/run/proof-size.ts';
import { HubClient } from './hub-client.ts';
import { ScenarioCalls } from './scenario-calls.ts';
import { clientTimeoutMs, revisions, runClient, scenariosOf, suiteNeed } from './suite.ts';
import { type Check, problemsOf } from './verdict.ts';

/** Unscored scenarios that need only settings. */
const extensions = ['auth/client-credentials-jwt', 'auth/client-credentials-basic'];

describeWith(suiteNeed, 'conformance of the client', () => {
  let client: HubClient;

  beforeAll(async () => {
    client = await HubClient.start();
  });
  afterAll(() => client[Symbol.asyncDispose]());

  describe.each(revisions)('%s', (revision) => {
    const { scored, unscored } = scenariosOf(revision, 'client');
    // The authorization scenarios are the same in 2026-07-28.
    const isRun = (scenario: string) => isWhole || revision === '2026-07-28' || !scenario.startsWith('auth/');
    const scenarios = [...scored, ...(revision === '2026-07-28' ? extensions : [])].filter(isRun);
    let checks: ReadonlyMap<string, Check[]> = new Map();

    it('has scenarios, including authorization', () => {
      expect(scored.filter((scenario) => scenario.startsWith('auth/')).length).toBeGreaterThan(10);
      expect(scored.filter((scenario) => !scenario.startsWith('auth/')).length).toBeGreaterThan(3);
    });

    it('is run', { timeout: clientTimeoutMs }, async () => {
      // Scenarios mostly wait, so several run at once.
      const inTurn = someAtOnce(6);
      await using calls = await ScenarioCalls.listen(scored.length + unscored.length, async (scenario) => {
        if (scenarios.includes(scenario.name)) await inTurn(() => client.act(scenario));
      });
      checks = await runClient(revision, calls);
    });

    it.each(scenarios)('%s', (scenario) => {
      expect(problemsOf(checks.get(scenario), 'scored')).toEqual([]);
    });
  });

  it('detects a client that does nothing', { timeout: clientTimeoutMs }, async () => {
    const checks = await runClient('2026-07-28', { command: 'true' });
    for (const scenario of scenariosOf('2026-07-28', 'client').scored) {
      expect(problemsOf(checks.get(scenario), 'scored'), scenario).not.toEqual([]);
    }
  });
});
