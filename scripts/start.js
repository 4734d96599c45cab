// `npm start`: builds, with a word about it, then runs the hub with its demo on a folder of its own.
import './require-node.js';
import { spawnSync } from 'node:child_process';

// On stderr: with --json, stdout is for a program.
console.error('Building …');
const shell = process.platform === 'win32';
for (const [command, ...args] of [
  // What they need is built too; checking the tests would take as long again.
  ['tsc', '-b', 'packages/hub', 'packages/dashboard'],
  ['node', 'scripts/build-command.js'],
  ['node', 'scripts/build-dashboard.js'],
]) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell });
  if (status !== 0) process.exit(status ?? 1);
}

// In this process, so that Ctrl-C and signals reach the hub itself.
process.argv.splice(2, 0, 'up', '--demo', '--data', '.tidings/demo');
await import('../packages/hub/bin/tidings.js');
