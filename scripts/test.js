// The README's test command: builds, then runs the tests and, in parallel, the checks, which use the CPU time that
// waiting tests leave. Fails if either fails.
import { spawn } from 'node:child_process';

if ((await run('npm', ['run', '--silent', 'build'])) !== 0) process.exit(1);
const checking = run('node', ['scripts/check.js', '--beside']);
const testCode = await run('node', ['scripts/run-tests.js', 'unit', 'behaviour', 'pages']);
const checkCode = await checking;
if (checkCode !== 0) console.error('\nThe checks failed: see "check:" above.');
process.exitCode = testCode || checkCode;

/** @param {string} command @param {string[]} args @returns {Promise<number>} */
function run(command, args) {
  const child = spawn(command, args, { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
