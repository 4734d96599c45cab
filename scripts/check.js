// The static half of `npm test`: every step runs, so that one run shows everything that is wrong.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const packages = [...readdirSync('packages').map((name) => `packages/${name}`), 'examples'];
const planted = 'test/layers/planted/packages/live/src/feed/planted.ts';
const layerRule = 'Layer rule: feed/ is stage 2';

const steps = {
  types: () => run('tsc', ['-b']),
  dashboard: () => run('node', ['scripts/build-dashboard.js']),
  format: () => run('oxfmt', ['--check', '.']),
  lint: () => run('oxlint', ['--type-aware', '--deny-warnings', '--ignore-pattern', planted]),
  layers: plantedViolationIsFound,
  'dead code': () => run('knip', ['--no-progress']),
  packages: () => packages.every((folder) => run('publint', ['--strict', folder])),
};

const failed = Object.entries(steps).flatMap(([name, step]) => {
  console.log(`check: ${name}`);
  return step() ? [] : [name];
});
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exit(1);
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) process.stdout.write(`${stdout}${stderr}`);
  return status === 0;
}

/** A layer rule that finds nothing may be dead: it has to find the violation planted for it. */
function plantedViolationIsFound() {
  const { stdout } = spawnSync('oxlint', [planted], { encoding: 'utf8' });
  if (stdout.includes(layerRule)) return true;
  console.log(`The layer rule did not report ${planted}.\n${stdout}`);
  return false;
}
