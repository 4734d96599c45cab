// The client scenarios of the official conformance suite for the tracker's client, with the hub and a host's client in
// front of it. Where the suite's server wants a login, `tidings login` logs in, as a person would have it do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bin, cleanEnvironment } from '../cli/tidings-process.ts';
import { describeWith } from '../support/needs.ts';
import { isWhole } from '../support/proof-size.ts';
import { clientScenariosOf, revisions, runClientScenario, suiteNeed, suiteTimeoutMs } from './suite.ts';
import { problemsOf } from './verdict.ts';

const program = fileURLToPath(new URL('hub-client.js', import.meta.url));
const command = `${process.execPath} ${program}`;
/** They are not scored, and need nothing but settings. */
const extensions = ['auth/client-credentials-jwt', 'auth/client-credentials-basic'];

describeWith(suiteNeed, 'conformance of the client', () => {
  const env: Record<string, string> = {};

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-conformance-'));
    const config = join(folder, 'servers.json');
    await writeFile(config, JSON.stringify({ servers: [] }));
    const data = join(folder, 'data');
    const args = [bin, 'up', '--port', '0', '--data', data, '--config', config, '--json', '--log-level', 'fatal'];
    const hub = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: cleanEnvironment() });
    const [line = ''] = await once(createInterface({ input: hub.stdout }), 'line');
    const { url }: { url: string } = JSON.parse(line);
    Object.assign(env, { CONFORMANCE_HUB: url, CONFORMANCE_DATA: data });
    return async () => {
      const ended = once(hub, 'exit');
      hub.kill();
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    };
  });

  describe.each(revisions)('%s', (revision) => {
    const scenarios = clientScenariosOf(revision);

    // Those of 2026-07-28 include them.
    const isRun = (scenario: string) => isWhole || revision === '2026-07-28' || !scenario.startsWith('auth/');

    it('has scenarios, of authorization too', () => {
      expect(scenarios.filter((scenario) => scenario.startsWith('auth/')).length).toBeGreaterThan(10);
      expect(scenarios.filter((scenario) => !scenario.startsWith('auth/')).length).toBeGreaterThan(3);
    });

    // A scenario waits more than it works.
    it.concurrent.each(scenarios.filter(isRun))('%s', { timeout: suiteTimeoutMs }, async (scenario) => {
      expect(problemsOf(await runClientScenario(revision, scenario, command, { env }), 'scored')).toEqual([]);
    });
  });

  it.each(extensions)('%s', { timeout: suiteTimeoutMs }, async (scenario) => {
    const checks = await runClientScenario('2026-07-28', scenario, command, { env, isExtension: true });
    expect(problemsOf(checks, 'scored')).toEqual([]);
  });

  it('finds a client that does nothing', { timeout: suiteTimeoutMs }, async () => {
    const checks = await runClientScenario('2026-07-28', 'tools_call', `${process.execPath} --version`);
    expect(problemsOf(checks, 'scored')).not.toEqual([]);
  });
});
