// The static half of `npm test`: every step runs, so that one run shows everything that is wrong.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

const packages = [...readdirSync('packages').map((name) => `packages/${name}`), 'examples'];
const plantedFolder = 'test/layers/planted';
/** Each rule about imports, with a file that breaks it on purpose. */
const planted = [
  { file: 'packages/live/src/feed/planted.ts', message: 'Layer rule: feed/ is stage 2' },
  { file: 'packages/client/src/contract/planted.ts', message: 'Layer rule: contract/ is stage 1 of the client' },
  { file: 'packages/track/src/mirror/planted.ts', message: 'Layer rule: mirror/ is stage 4 of the tracker' },
  { file: 'packages/track/src/definition/planted-cycle.ts', message: 'import(no-cycle)' },
  { file: 'packages/hub/src/access/planted.ts', message: 'Layer rule: access/ is stage 2 of the hub' },
  { file: 'packages/hub/src/audit/planted-cycle.ts', message: 'import(no-cycle)' },
];

/** The only file that may use real time and timers, and what counts as such a use. */
const clockFile = 'packages/live/src/time/clock.ts';
const realTime =
  /\bDate\.now\b|\bset(?:Timeout|Interval|Immediate)\b|\bperformance\.|\bnew Date\(\)|node:timers|AbortSignal\.timeout/;
const plantedTime = 'packages/live/src/feed/planted-time.ts';

const steps = {
  types: () => run('tsc', ['-b']),
  dashboard: () => run('node', ['scripts/build-dashboard.js']),
  format: () => run('oxfmt', ['--check', '.']),
  lint: () => run('oxlint', ['--type-aware', '--deny-warnings', '--ignore-pattern', `${plantedFolder}/**`]),
  layers: plantedViolationsAreFound,
  'real time': realTimeIsInOneFile,
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

/** Real time elsewhere could not be replaced by a test's clock. */
function realTimeIsInOneFile() {
  const files = packages.flatMap((folder) =>
    readdirSync(`${folder}/src`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => `${folder}/src/${name}`),
  );
  const found = files.filter((file) => file !== clockFile).flatMap(usesOfRealTime);
  for (const use of found) console.log(`${use}: take time from a Clock of @tidings/live/time.`);
  const isAlive = usesOfRealTime(`${plantedFolder}/${plantedTime}`).length > 0;
  if (!isAlive) console.log(`Real time was not found in ${plantedTime}.`);
  return found.length === 0 && isAlive;
}

/** @param {string} file */
function usesOfRealTime(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => (realTime.test(line) ? [`${file}:${index + 1}`] : []));
}
