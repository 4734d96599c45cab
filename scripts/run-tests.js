// run-tests.js PROJECT… [--whole] [--seed N|random]: runs these test projects; with `--whole`, in all variants and sizes;
// with `--seed`, with the generated cases of this seed or of a random one, which the run prints. In the gate
// (TIDINGS_TEST_ALL=1) files with a failure run once more, alone, because a test may fail on a machine that is busy
// with other work; they are named at the end, so that unstable tests are seen. Elsewhere a failure counts at once.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** With more failed files than this, none is repeated. */
const mostFilesToRepeat = 6;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { whole: { type: 'boolean' }, seed: { type: 'string' } },
});
const projects = positionals.flatMap((name) => ['--project', name]);
const size = values.whole ? { TIDINGS_PROOFS: 'whole' } : {};
const seed = values.seed === undefined ? {} : { TIDINGS_FUZZ_SEED: seedOf(values.seed) };
/** Enough for all files that tests write at the same time, mostly databases. */
const roomyBytes = 8 * 1024 ** 3;
const sharedMemory = '/dev/shm';

const folder = mkdtempSync(join(isRoomy(sharedMemory) ? sharedMemory : tmpdir(), 'tidings-tests-'));
// Some tests start programs as other users.
chmodSync(folder, 0o1777);
process.exitCode = await run();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

async function run() {
  const list = join(folder, 'failed-files');
  const code = await vitest([], list);
  const failed = linesOf(list);
  const mayRepeat = process.env['TIDINGS_TEST_ALL'] === '1' && failed.length > 0 && failed.length <= mostFilesToRepeat;
  if (code === 0 || !mayRepeat) return code;
  const names = failed.map((file) => `\n  ${file}`).join('');
  console.log(`\nRunning again:${names}`);
  const secondCode = await vitest(failed, list);
  if (secondCode === 0) console.log(`\nPassed only when run again:${names}`);
  return secondCode;
}

/** One number for the whole run, so that it can be repeated. @param {string} wanted */
function seedOf(wanted) {
  if (wanted === 'random') return String(randomInt(2 ** 31));
  if (/^\d{1,10}$/.test(wanted) && Number(wanted) < 2 ** 31) return wanted;
  console.error(`--seed ${wanted}: needs "random" or a number below ${2 ** 31}.`);
  return process.exit(2);
}

/** @param {readonly string[]} files @param {string} failedFiles @returns {Promise<number>} */
function vitest(files, failedFiles) {
  // In memory if possible, because every commit of SQLite waits for the disk.
  const env = { ...process.env, ...size, ...seed, TIDINGS_FAILED_FILES: failedFiles, TMPDIR: folder };
  const child = spawn('vitest', ['run', ...projects, ...files], { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Empty if Vitest ended before it could write the file. */
function linesOf(file) {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** @param {string} path */
function isRoomy(path) {
  try {
    const { bavail, bsize } = statfsSync(path);
    return Math.min(bavail * bsize, freemem()) > roomyBytes;
  } catch {
    return false;
  }
}
