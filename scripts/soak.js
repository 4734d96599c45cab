// `npm run soak`: the load tests with many clients, for longer than a suite may take.
//   -- --only vcon   some of them      -- --minutes 10   for how long (1 if not given)
// Each is a file test/soak/NAME.spec.ts.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values: options } = parseArgs({ options: { only: { type: 'string' }, minutes: { type: 'string' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const names = readdirSync(`${root}/test/soak`).flatMap((file) => /^(.+)\.spec\.ts$/.exec(file)?.[1] ?? []);
const wanted = options.only?.split(',') ?? names;
const minutes = Number(options.minutes ?? 1);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) fail(`There is no soak "${unknown.join('", "')}": there are ${names.join(', ')}.`);
if (!(minutes > 0)) fail('--minutes takes a number above 0.');

process.env.TIDINGS_SOAK_MINUTES = String(minutes);
const include = wanted.map((name) => `test/soak/${name}.spec.ts`);
// One after the other: they would be each other's load.
const vitest = await startVitest('test', [], { root, include, watch: false, fileParallelism: false });
await vitest.close();

function fail(message) {
  console.error(message);
  process.exit(1);
}
