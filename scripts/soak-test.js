// Runs one test file that no suite includes.
import { startVitest } from 'vitest/node';

const vitest = await startVitest('test', [], { include: [process.argv[2]], watch: false });
await vitest.close();
