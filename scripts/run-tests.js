// run-tests.js PROJECT… [--whole] [--seed N|random]: runs these test projects; with `--whole`, in all variants and sizes;
// with `--seed`, with the generated cases of this seed or of a random one, which the run prints.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

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
process.exitCode = await vitest();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** One number for the whole run, so that it can be repeated. @param {string} wanted */
function seedOf(wanted) {
  if (wanted === 'random') return String(randomInt(2 ** 31));
  if (/^\d{1,10}$/.test(wanted) && Number(wanted) < 2 ** 31) return wanted;
  console.error(`--seed ${wanted}: needs "random" or a number below ${2 ** 31}.`);
  return process.exit(2);
}

/** @returns {Promise<number>} */
function vitest() {
  // In memory if possible, because every commit of SQLite waits for the disk.
  const env = { ...process.env, ...size, ...seed, TMPDIR: folder };
  const child = spawn('vitest', ['run', ...projects], { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
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
