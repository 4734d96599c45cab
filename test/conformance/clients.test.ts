// The client scenarios of the official conformance suite for the tracker's client, with the hub and a host's client in
// front of it. Where the suite's server wants a login, `tidings login` logs in, as a person would have it do.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeWith } from '../support/needs.ts';
import { clientScenariosOf, revisions, runClientScenario, suiteNeed, suiteTimeoutMs } from './suite.ts';
import { problemsOf } from './verdict.ts';

const program = fileURLToPath(new URL('hub-client.js', import.meta.url));

describeWith(suiteNeed, 'conformance of the client', () => {
  describe.each(revisions)('%s', (revision) => {
    const scenarios = clientScenariosOf(revision);

    it('has scenarios', () => {
      expect(scenarios.length).toBeGreaterThan(3);
    });

    it.each(scenarios)('%s', { timeout: suiteTimeoutMs }, async (scenario) => {
      const command = `${process.execPath} ${program}`;
      expect(problemsOf(await runClientScenario(revision, scenario, command), 'scored')).toEqual([]);
    });
  });

  it('finds a client that does nothing', { timeout: suiteTimeoutMs }, async () => {
    const checks = await runClientScenario('2026-07-28', 'tools_call', `${process.execPath} --version`);
    expect(problemsOf(checks, 'scored')).not.toEqual([]);
  });
});
