import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/src/**/*.test.ts', 'test/**/*.test.ts', 'test/e2e/**/*.spec.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'test/sabotage/.build/**'],
    globalSetup: ['test/support/run-services.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    // Most tests wait for processes and sockets: one worker for each core is not too many.
    maxWorkers: '100%',
    // The gate runs on machines that others use too; whoever works here sees every first failure.
    retry: process.env['TIDINGS_TEST_ALL'] === '1' ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
