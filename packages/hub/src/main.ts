// Entry of the command line: bin/tidings.js imports it once it knows that this Node is new enough.
import { run } from './cli/run.ts';

process.exitCode = await run(process.argv.slice(2));
