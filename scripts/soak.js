// `npm run soak`: tests with many clients, or of a duration that is too long for the suite.
//   -- --only vcon   some of them      -- --minutes 10   another duration than the default of each
// Each is a file of test/soak: NAME.spec.ts, a test, or NAME.js, a program.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({ options: { only: { type: 'string' }, minutes: { type: 'string' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const names = readdirSync(`${root}/test/soak`).flatMap((file) => /^([^.]+)\.(?:spec\.ts|js)$/.exec(file)?.[1] ?? []);
const wanted = options.only?.split(',') ?? names;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) fail(`There is no soak "${unknown.join('", "')}": there are ${names.join(', ')}.`);
if (options.minutes !== undefined && !(Number(options.minutes) > 0)) fail('--minutes takes a number above 0.');

// One after the other, because parallel runs would be load for each other.
const failed = wanted.filter((name) => soak(name) !== 0);
if (failed.length > 0) fail(`Failed: ${failed.join(', ')}`);

function soak(name) {
  console.log(`soak: ${name}`);
  const { minutes } = options;
  const program = `test/soak/${name}.js`;
  const args = existsSync(`${root}/${program}`)
    ? ['--expose-gc', program, ...(minutes === undefined ? [] : ['--minutes', minutes])]
    : ['scripts/soak-test.js', `test/soak/${name}.spec.ts`];
  const env = { ...process.env, ...(minutes !== undefined && { TIDINGS_SOAK_MINUTES: minutes }) };
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
