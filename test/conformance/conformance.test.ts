// The official conformance suite against a server built on the kit: once per protocol revision, at the same time and
// on the same URL.
import { type LiveServer, liveServer, serveHttp } from '@tidings/live';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { expectedFailures } from './expected-failures.ts';
import { fixtureServer } from './fixture-server.ts';
import { type Revision, type SuiteRun, revisions, runSuite, scenariosOf, suiteNeed, suiteTimeoutMs } from './suite.ts';
import { problemsOf } from './verdict.ts';

describeWith(suiteNeed, 'conformance', () => {
  const runs = new Map<Revision, SuiteRun>();

  beforeAll(async () => {
    await serving(fixtureServer(), (url) =>
      Promise.all(revisions.map(async (revision) => runs.set(revision, await runSuite(revision, url)))),
    );
  }, suiteTimeoutMs);

  describe.each(revisions)('%s', (revision) => {
    const { scored, unscored } = scenariosOf(revision);

    it('is run in full and passed by the suite', () => {
      const run = runs.get(revision);
      expect(scored).not.toEqual([]);
      expect([...(run?.checks.keys() ?? [])].toSorted(), run?.output).toEqual([...scored, ...unscored].toSorted());
      expect(run?.exitCode).toBe(0);
    });

    it.each(scored)('%s', (scenario) => {
      expect(problemsOf(runs.get(revision)?.checks.get(scenario), 'scored')).toEqual([]);
    });

    it.each(unscored)('%s (not scored)', (scenario) => {
      const expectation = expectedFailures.includes(scenario) ? 'fails' : 'unscored';
      expect(problemsOf(runs.get(revision)?.checks.get(scenario), expectation)).toEqual([]);
    });
  });

  it('includes every scenario that is expected to fail', () => {
    const known = new Set(revisions.flatMap((revision) => scenariosOf(revision).unscored));
    expect(expectedFailures.filter((scenario) => !known.has(scenario))).toEqual([]);
  });

  it('reports the missing features of an empty server', { timeout: suiteTimeoutMs }, async () => {
    const empty = liveServer({ name: 'empty', version: '1.0.0' });
    const { checks, exitCode } = await serving(empty, (url) => runSuite('2026-07-28', url));
    expect(exitCode).toBe(1);
    expect(problemsOf(checks.get('tools-call-simple-text'), 'scored')).not.toEqual([]);
    expect(problemsOf(checks.get('dns-rebinding-protection'), 'scored')).toEqual([]);
  });
});

async function serving<T>(server: LiveServer, use: (url: string) => Promise<T>): Promise<T> {
  const running = await serveHttp(server);
  try {
    return await use(running.url);
  } finally {
    await running.close();
  }
}
