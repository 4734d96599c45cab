import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', './test/support/reporter.ts'],
    // Most tests wait for processes and sockets: one worker for each core is not too many.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'examples/src/**/*.test.ts'],
          // Loading modules takes longer than these tests, so the files of a worker share them.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'behaviour',
          include: ['test/**/*.test.ts', 'test/e2e/**/*.spec.ts'],
          exclude: ['test/sabotage/.build/**'],
          globalSetup: ['test/support/run-services.ts'],
        },
      },
    ],
    // The gate runs on machines that others use too; whoever works here sees every first failure.
    retry: process.env['TIDINGS_TEST_ALL'] === '1' ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
