// The official conformance suite against the hub's `/mcp/{serverId}` with the fixture server behind it: every
// scenario that passes there directly passes here, in each combination of eras.
import { createServer } from 'node:http';
import { type LiveServer, httpEndpoint } from '@tidings/live';
import type { Era } from '@tidings/live/testing';
import type { UrlEntry } from '@tidings/track';
import { beforeAll, describe, expect, it } from 'vitest';
import { runningHub } from '../hub/running-hub.ts';
import { legacyOnly } from '../support/wire/legacy-only.ts';
import { describeWith } from '../support/run/needs.ts';
import { expectedFailures } from './expected-failures.ts';
import { fixtureServer } from './fixture-server.ts';
import { type SuiteRun, revisions, runSuite, scenariosOf, suiteNeed, suiteTimeoutMs } from './suite.ts';
import { problemsOf } from './verdict.ts';

const eras = ['modern', 'legacy'] as const;

describeWith(suiteNeed, 'conformance through the hub', () => {
  const runs = new Map<string, SuiteRun>();

  beforeAll(async () => {
    await using modern = await serving(fixtureServer(), 'modern');
    await using legacy = await serving(fixtureServer(), 'legacy');
    await using hub = await runningHub({ servers: [modern.entry, legacy.entry] });
    await hub.isLive('modern', 'legacy');
    expect(hub.status('legacy')?.era).toBe('legacy');
    for (const era of eras) {
      await Promise.all(
        revisions.map(async (revision) => {
          runs.set(`${revision} ${era}`, await runSuite(revision, `${hub.url}/mcp/${era}`));
        }),
      );
    }
  }, 2 * suiteTimeoutMs);

  describe.each(revisions)('%s', (revision) => {
    describe.each(eras)('with a %s server behind', (era) => {
      const { scored, unscored } = scenariosOf(revision);
      const isStrict = (scenario: string) => scored.includes(scenario);
      const checksOf = (scenario: string) => runs.get(`${revision} ${era}`)?.checks.get(scenario);

      it.each([...scored, ...unscored].filter((scenario) => !expectedFailures.includes(scenario)))('%s', (scenario) => {
        expect(problemsOf(checksOf(scenario), isStrict(scenario) ? 'scored' : 'unscored')).toEqual([]);
      });
    });
  });
});

async function serving(server: LiveServer, era: Era): Promise<AsyncDisposable & { entry: UrlEntry }> {
  const endpoint = httpEndpoint(server);
  const http = createServer(
    era === 'legacy' ? legacyOnly(endpoint.handle) : (req, res) => void endpoint.handle(req, res),
  );
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    entry: { id: era, url: `http://127.0.0.1:${port}/mcp`, headers: {}, enabled: true, trackResources: false },
    [Symbol.asyncDispose]: async () => {
      await endpoint.close();
      http.closeAllConnections();
      await new Promise((resolve) => void http.close(resolve));
      await server.close();
    },
  };
}
