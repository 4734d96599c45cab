// Entry of the command line: bin/tidings.js imports it after it has checked the version of Node.
import { keepProcessAlive } from '@tidings/live/time';
import { run } from './cli/run.ts';

const alive = keepProcessAlive();
process.exitCode = await run(process.argv.slice(2));
alive.cancel();
