// `npm start`: builds, then runs the hub with its demo in its own folder.
import './require-node.js';
import { spawnSync } from 'node:child_process';

// On stderr, because stdout is for programs with --json.
console.error('Building …');
const shell = process.platform === 'win32';
for (const [command, ...args] of [
  // With their dependencies; type checking the tests would double the time.
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
