// The static half of `npm test`: every step runs, so that one run shows everything that is wrong.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const packages = [...readdirSync('packages').map((name) => `packages/${name}`), 'examples'];
const plantedFolder = 'test/layers/planted';
/** Each rule about imports, with a file that breaks it on purpose. */
const planted = [
  { file: 'packages/live/src/feed/planted.ts', message: 'Layer rule: feed/ is stage 2' },
  { file: 'packages/track/src/mirror/planted.ts', message: 'Layer rule: mirror/ is stage 4 of the tracker' },
  { file: 'packages/track/src/definition/planted-cycle.ts', message: 'import(no-cycle)' },
  { file: 'packages/hub/src/access/planted.ts', message: 'Layer rule: access/ is stage 2 of the hub' },
  { file: 'packages/hub/src/audit/planted-cycle.ts', message: 'import(no-cycle)' },
];

const steps = {
  types: () => run('tsc', ['-b']),
  dashboard: () => run('node', ['scripts/build-dashboard.js']),
  format: () => run('oxfmt', ['--check', '.']),
  lint: () => run('oxlint', ['--type-aware', '--deny-warnings', '--ignore-pattern', `${plantedFolder}/**`]),
  layers: plantedViolationsAreFound,
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

/** A rule that reports nothing may be misconfigured, so each must report the violation planted for it. */
function plantedViolationsAreFound() {
  const missed = planted.filter(({ file, message }) => {
    const { stdout } = spawnSync('oxlint', [`${plantedFolder}/${file}`], { encoding: 'utf8' });
    if (stdout.includes(message)) return false;
    console.log(`"${message}" was not reported for ${file}.\n${stdout}`);
    return true;
  });
  return missed.length === 0;
}
