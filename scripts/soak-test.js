// Runs one test file that belongs to no project, without vitest.config.ts, whose projects list their files.
import { startVitest } from 'vitest/node';

const vitest = await startVitest('test', [], {
  config: false,
  include: [process.argv[2]],
  globalSetup: ['test/support/run/run-services.ts'],
  reporters: ['default'],
  watch: false,
});
await vitest.close();
