import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/run/longest-first.ts';
import { isWhole, shareVariable } from './test/support/run/proof-size.ts';

/** Proofs of the whole that take minutes: `npm run prove`, which the gate runs after `npm test`. */
const proofs = ['chaos', 'conformance', 'fuzz', 'hostile', 'load', 'pack', 'publish', 'sabotage', 'start'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
/** Behaviours in many variants, with processes, faults or OBS of their own: `npm run prove` runs these, too. */
const long = [
  'test/cli/completion-in-shells.test.ts',
  'test/cluster/agent-sessions.test.ts',
  'test/cluster/lost-nodes.test.ts',
  'test/cluster/rolling-restart.test.ts',
  'test/hub/killed.test.ts',
  'test/hub/questions-apart.test.ts',
  'test/hub/relay-bounds.test.ts',
  'test/hub/secrets.test.ts',
  'test/hub/unchanged.test.ts',
  'test/hub/watching-many.test.ts',
  'test/obs/real-cells.test.ts',
  'test/obs/real-studio.test.ts',
  'test/store/disk.test.ts',
  'test/store/postgres-away.test.ts',
  'test/track/connection-faults.test.ts',
  'test/track/faults.test.ts',
  'test/track/http-faults.test.ts',
  'test/track/processes.test.ts',
  'test/track/real-servers.test.ts',
  'test/track/restart.test.ts',
  'test/track/sse-servers.test.ts',
  'test/track/unfinished-subscriptions.test.ts',
  'test/vcon/cells.test.ts',
];
/** The same in a browser. */
const longPages = [
  'test/dashboard/access.test.ts',
  'test/dashboard/hostile-content.test.ts',
  'test/dashboard/lost-connection.test.ts',
  'test/dashboard/staying-right.test.ts',
  'test/e2e/page-session.spec.ts',
];
/** Behaviours of which `npm test` tries one variant, and the proofs the others. */
const shared = [
  'test/hub/redaction.test.ts',
  'test/obs/fake-studio.test.ts',
  'test/requirements/requirements.test.ts',
  'test/schedules/story.test.ts',
];
/** Behaviours that try more where all proofs are run. */
const graded = ['test/track/told.model.test.ts', 'test/access/matrix.test.ts'];
/** Larger sizes and more versions of what other files prove. */
const onlyWhole = ['large-page', 'obs-versions', 'vcon-readers'].map((name) => `test/load/${name}.test.ts`);

/**
 * Tests whose libraries (Playwright, the agents SDK) make Node follow every promise from then on: each `await` in the
 * same process takes several times as long, so they have workers of their own.
 */
const slowing = [
  'test/dashboard/**/*.test.ts',
  'test/e2e/**/*.spec.ts',
  'test/hub/client.test.ts',
  'test/schedules/two-vendors.test.ts',
];

/** Tests in test/ use what was built, also of the inside of a package: Node loads it faster than Vite transforms it. */
const built = {
  alias: [
    {
      find: /^(?:\.\.\/)+packages\/(\w+)\/src\/(?!testing\/)(.+)\.ts$/,
      replacement: fileURLToPath(new URL('packages/$1/dist/$2.js', import.meta.url)),
    },
  ],
};

export default defineConfig({
  test: {
    setupFiles: ['test/support/run/fixed-seed.ts', 'test/support/run/file-times.ts', 'test/support/run/own-globals.ts'],
    reporters: ['default', './test/support/run/reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Transformed files stay in node_modules, by what they contain: the next run transforms what has changed.
    experimental: { fsModuleCache: true },
    // What was built is loaded by Node, as users have it, instead of being transformed once more; broken copies too.
    server: { deps: { external: [/\/(packages\/[^/]+|examples)\/dist\//] } },
    // Collecting garbage less often saves a tenth of the CPU time, and so does compiling only what runs very often.
    execArgv: ['--max-semi-space-size=64', '--interrupt-budget=2000000'],
    // Four of the projects load modules once for all files of a worker: loading takes longer than most tests do. A worker
    // ends when the next file is of another project, so the files of a project follow one another (`LongestFirst`).
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'examples/src/**/*.test.ts'],
          isolate: false,
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        resolve: built,
        test: {
          name: 'behaviour',
          include: ['test/**/*.test.ts'],
          exclude: [...proofs, ...long, ...slowing],
          isolate: false,
          // Most of these wait, for processes, sockets and timers: with a worker for each core, two cores would be idle
          // half of the time.
          maxWorkers: availableParallelism() + 4,
          sequence: { groupOrder: 2 },
          globalSetup: ['test/support/run/run-services.ts'],
        },
      },
      {
        extends: true,
        resolve: built,
        test: {
          name: 'pages',
          include: slowing,
          exclude: longPages,
          isolate: false,
          // Each has a browser of several processes.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
          globalSetup: ['test/support/run/run-services.ts'],
        },
      },
      {
        extends: true,
        resolve: built,
        test: {
          name: 'long',
          include: [...long, ...shared, ...(isWhole ? graded : [])],
          env: { [shareVariable]: 'prove' },
          isolate: false,
          maxWorkers: availableParallelism() + 4,
          sequence: { groupOrder: 3 },
          globalSetup: ['test/support/run/run-services.ts'],
        },
      },
      {
        extends: true,
        resolve: built,
        test: {
          name: 'proofs',
          include: [...proofs, ...longPages],
          exclude: ['test/sabotage/.build/**', ...(isWhole ? [] : onlyWhole)],
          // Fewer: several of these compare times, or start a Vitest of their own.
          maxWorkers: availableParallelism() + 2,
          sequence: { groupOrder: 4 },
          globalSetup: ['test/support/run/run-services.ts'],
        },
      },
    ],
    env: { TIDINGS_TEST_PATIENCE_MS: process.env['TIDINGS_TEST_PATIENCE_MS'] ?? '30000' },
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
