// `npm run chaos`: injects faults between servers, hub and subscribers, and prints what came of each.
//   -- --minutes 10      for how long            -- --seed 7         the same faults again
//   -- --only 'kill -9'  one kind of fault       -- --subscribers 5  of each kind, instead of 2
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    only: { type: 'string' },
    subscribers: { type: 'string' },
  },
});
for (const name of ['minutes', 'seed', 'subscribers']) {
  const value = options[name];
  if (value === undefined || Number(value) > 0) continue;
  console.error(`--${name} takes a number above 0.`);
  process.exit(2);
}
const settings = Object.entries(options).map(([name, value]) => [`TIDINGS_CHAOS_${name.toUpperCase()}`, value]);
const { status } = spawnSync(process.execPath, ['scripts/soak-test.js', 'test/chaos/chaos.spec.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, ...Object.fromEntries(settings) },
  stdio: 'inherit',
});
process.exit(status ?? 1);
