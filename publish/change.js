// `npm run change`: describes a change for the next release, in .changeset.
import { runTool } from './install-tools.js';

runTool('changeset', ['add', ...process.argv.slice(2)]);
