// The scenarios of the tasks extension, which the kit does not have: a server with tasks, directly and behind the
// hub. Each passes both ways, except one that the hub deliberately answers in another way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';
import { type SuiteRun, runSuite, suiteNeed, suiteTimeoutMs } from './suite.ts';
import { problemsOf } from './verdict.ts';

const revision = '2026-07-28';
const program = fileURLToPath(new URL('../fixtures/task-conformance-server.js', import.meta.url));

/** A client without tasks gets the result itself, since the hub waits for the task: no error is needed. */
const byDesign = 'tasks-required-task-error';
const scenarios = [
  'tasks-capability-negotiation',
  'tasks-dispatch-and-envelope',
  'tasks-lifecycle',
  'tasks-mrtr-composition',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-request-state-removal',
  'tasks-wire-fields',
];

describeWith(suiteNeed, 'conformance of tasks through the hub', () => {
  let direct: SuiteRun;
  let through: SuiteRun;

  beforeAll(async () => {
    const server = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [line]: unknown[] = await once(server.stdout, 'data');
      const url = String(line).trim();
      const entry = { id: 'tasks', url, headers: {}, enabled: true, trackResources: false };
      await using hub = await runningHub({ servers: [entry] });
      await hub.isLive('tasks');
      [direct, through] = await Promise.all([runSuite(revision, url), runSuite(revision, `${hub.url}/mcp/tasks`)]);
    } finally {
      server.kill();
    }
  }, 2 * suiteTimeoutMs);

  describe.each(scenarios)('%s', (scenario) => {
    it('passes directly', () => {
      expect(problemsOf(direct.checks.get(scenario), 'scored')).toEqual([]);
    });

    it('passes through the hub', () => {
      expect(problemsOf(through.checks.get(scenario), 'scored')).toEqual([]);
    });
  });

  it('differs only where the hub itself waits for a task', () => {
    expect(problemsOf(direct.checks.get(byDesign), 'scored')).toEqual([]);
    const failed = through.checks.get(byDesign)?.filter(({ status }) => status === 'FAILURE');
    expect(failed).toMatchObject([
      {
        id: 'sep-2663-server-returns-missing-capability-when-required',
        errorMessage: expect.stringContaining('returned a successful response'),
      },
    ]);
  });
});
