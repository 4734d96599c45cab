// The static half of `npm test`. Every step runs, so that one run shows all problems. `--beside` checks the existing
// build, with a low priority, so that other work can continue.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { areLayersCurrent } from './layers.js';

const packages = [...readdirSync('packages').map((name) => `packages/${name}`), 'examples'];
const plantedFolder = 'test/layers/planted';
/** The beginning of the first line of a file that violates a rule about imports; the rest is the rule's message. */
const plantedMark = '// Has to be reported: ';

/**
 * tsc and the linter's type checker are Go programs: less frequent garbage collection saves a sixth of their CPU time.
 */
const thriftyGo = { GOGC: '400' };

/** The only file that may use real time and timers, and a pattern of such uses. */
const clockFile = 'packages/live/src/time/clock.ts';
const realTime =
  /\bDate\.now\b|\bset(?:Timeout|Interval|Immediate)\b|\bperformance\.|\bnew Date\(\)|node:timers|AbortSignal\.timeout/;
const plantedTime = 'packages/live/src/feed/planted-time.ts';

const isBeside = process.argv.includes('--beside');
/** A run without heavy services is for development: the slowest checks are left out. */
const isQuick = isBeside && process.env['TIDINGS_TEST_WITHOUT'] === 'services';

const build = async () =>
  (await run('tsc', ['-b'])) &&
  every(['build-command', 'build-dashboard'], (script) => run('node', [`scripts/${script}.js`]));
/** These checks use the build and run in parallel, because most of them use one core only. */
const checks = {
  lint,
  ...(!isQuick && { 'dead code': () => run('knip', ['--no-progress']) }),
  packages: () => every(packages.filter(isPublished), isPublishable),
  layers: plantedViolationsAreFound,
  format: () => run('oxfmt', ['--check', '.']),
  'real time': realTimeIsInOneFile,
};

if (isBeside) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const outcomes = isBeside ? [] : [await outcome('build', build)];
outcomes.push(...(await Promise.all(Object.entries(checks).map(([name, check]) => outcome(name, check)))));
const failed = outcomes.filter(({ isFine }) => !isFine).map(({ name }) => name);
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exit(1);
}

/** @param {string} name @param {() => boolean | Promise<boolean>} step */
async function outcome(name, step) {
  const isFine = await step();
  console.log(`check: ${name} ${isFine ? 'ok' : 'FAILED'}`);
  return { name, isFine };
}

/**
 * Runs the check for all items, one after the other.
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<boolean>} check
 */
async function every(items, check) {
  let isFine = true;
  for (const item of items) isFine = (await check(item)) && isFine;
  return isFine;
}

/** @param {string} command @param {string[]} args */
async function run(command, args) {
  const { code, output } = await outputOf(command, args);
  if (code !== 0) process.stdout.write(output);
  return code === 0;
}

/**
 * @param {string} command @param {string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function outputOf(command, args) {
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...thriftyGo, ...process.env } });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/**
 * Rules that need types take ten times as long as all others together: a quick run applies them only to files that
 * differ from the last commit.
 */
async function lint() {
  const args = ['--deny-warnings', '--ignore-pattern', `${plantedFolder}/**`];
  const changed = isQuick ? await changedSources() : undefined;
  if (changed === undefined) return run('oxlint', ['--type-aware', ...args]);
  const withTypes = changed.length > 0 ? [['--type-aware', ...args, ...changed]] : [];
  return every([args, ...withTypes], (each) => run('oxlint', each));
}

/** Undefined without a repository. @returns {Promise<string[] | undefined>} */
async function changedSources() {
  const edited = await outputOf('git', ['diff', '--name-only', '--diff-filter=d', 'HEAD']);
  const added = await outputOf('git', ['ls-files', '--others', '--exclude-standard']);
  if (edited.code !== 0 || added.code !== 0) return undefined;
  return `${edited.output}${added.output}`.split('\n').filter((file) => /\.[jt]sx?$/.test(file));
}

/** @param {string} folder */
function isPublished(folder) {
  return !JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).private;
}

/**
 * Whether its entries lead to files of the right kind; test/pack checks the content of tarballs. @param {string} folder
 */
async function isPublishable(folder) {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
  for (const message of messages) console.log(`${folder}: ${formatMessage(message, pkg)}`);
  return messages.length === 0;
}

/** A misconfigured rule would report nothing, so each must report the violation planted for it. */
async function plantedViolationsAreFound() {
  const { output } = await outputOf('oxlint', ['--format', 'json', plantedFolder]);
  /** @type {{ diagnostics: { filename: string }[] }} */
  const { diagnostics } = JSON.parse(output);
  const missed = plantedViolations().filter(({ file, message }) => {
    const reported = diagnostics.filter(({ filename }) => filename === file);
    return !JSON.stringify(reported).includes(message);
  });
  for (const { file, message } of missed) console.log(`"${message}" was not reported for ${file}.`);
  const without = packages.filter((name) => !plantedViolations().some(({ file }) => file.includes(`/${name}/`)));
  if (without.length > 0) console.log(`No violation is planted for ${without.join(', ')}.`);
  if (!areLayersCurrent()) console.log('layers.oxlint.json is out of date: run node scripts/layers.js.');
  return missed.length === 0 && without.length === 0 && areLayersCurrent();
}

function plantedViolations() {
  return readdirSync(plantedFolder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    if (!name.endsWith('.ts')) return [];
    const file = `${plantedFolder}/${name}`;
    const [first = ''] = readFileSync(file, 'utf8').split('\n');
    return first.startsWith(plantedMark) ? [{ file, message: first.slice(plantedMark.length) }] : [];
  });
}

/** A test's clock cannot replace real time in other files. */
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
