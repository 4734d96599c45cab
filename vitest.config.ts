import { defineConfig } from 'vitest/config';

/** Proofs of the whole that take minutes: `npm run prove`, which the gate runs after `npm test`. */
const proofs = ['chaos', 'conformance', 'fuzz', 'hostile', 'load', 'pack', 'sabotage', 'start'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
/** Runs in both: briefly with the behaviours, at length with the proofs. */
const model = 'test/track/told.model.test.ts';

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

export default defineConfig({
  test: {
    setupFiles: ['test/support/fixed-seed.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    // Most tests wait for processes and sockets, so every core gets a worker.
    maxWorkers: '150%',
    // Three of the projects load modules once for all files of a worker: loading takes longer than most tests do.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'examples/src/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'behaviour',
          include: ['test/**/*.test.ts'],
          exclude: [...proofs, ...slowing],
          isolate: false,
          globalSetup: ['test/support/run-services.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: slowing,
          isolate: false,
          globalSetup: ['test/support/run-services.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'proofs',
          include: [...proofs, model],
          env: { TIDINGS_MODEL_RUNS: process.env['TIDINGS_MODEL_RUNS'] ?? '150' },
          exclude: ['test/sabotage/.build/**'],
          globalSetup: ['test/support/run-services.ts'],
        },
      },
    ],
    // Only where everything must run (the gate, on machines that others use too). The summary names what needed it.
    retry: process.env['TIDINGS_TEST_ALL'] === '1' ? 1 : 0,
    env: { TIDINGS_TEST_PATIENCE_MS: process.env['TIDINGS_TEST_PATIENCE_MS'] ?? '10000' },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
