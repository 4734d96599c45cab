// Runs one test file that no suite includes: without the configuration, whose projects say what they include.
import { startVitest } from 'vitest/node';

const vitest = await startVitest('test', [], {
  config: false,
  include: [process.argv[2]],
  globalSetup: ['test/support/run-services.ts'],
  reporters: ['default'],
  watch: false,
});
await vitest.close();
