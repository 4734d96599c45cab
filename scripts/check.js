// The static half of `npm test`: every step runs, so that one run shows everything that is wrong.
import { spawnSync } from 'node:child_process';

const planted = 'test/layers/planted/packages/live/src/feed/planted.ts';
const layerRule = 'Layer rule: feed/ is stage 2';

const steps = [
  ['types', () => run('tsc', ['-b'])],
  ['format', () => run('oxfmt', ['--check', '.'])],
  ['lint', () => run('oxlint', ['--type-aware', '--deny-warnings'])],
  ['layers', plantedViolationIsFound],
  ['dead code', () => run('knip', ['--no-progress'])],
  ['packages', () => ['packages/live', 'packages/hub', 'examples'].every((folder) => run('publint', ['--strict', folder]))],
];

const failed = steps.filter(([name, step]) => {
  console.log(`check: ${name}`);
  return !step();
});
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.map(([name]) => name).join(', ')}`);
  process.exit(1);
}

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) process.stdout.write(`${stdout}${stderr}`);
  return status === 0;
}

/** A layer rule that finds nothing may be dead: it has to find the violation planted for it. */
function plantedViolationIsFound() {
  const { stdout } = spawnSync('oxlint', ['--no-ignore', planted], { encoding: 'utf8' });
  if (stdout.includes(layerRule)) return true;
  console.log(`The layer rule did not report ${planted}.\n${stdout}`);
  return false;
}
