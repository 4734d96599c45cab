// Entry of the command line: bin/tidings.js imports it after it has checked the version of Node.
import { run } from './cli/run.ts';

process.exitCode = await run(process.argv.slice(2));
