// `npm run chaos`: injects faults between servers, hub and subscribers, and prints the recovery times. Exits with 1 if
// a subscriber did not recover, or got notifications too late or too often.
//   -- --minutes 10      the duration           -- --seed 7         the same faults again
//   -- --faults 500      the number of faults   (within the minutes)
//   -- --store sqlite    or postgres            -- --clients 20     MCP clients, instead of 200
//   -- --only 'kill -9'  one kind of fault      -- --every 20       a soak: one fault in 20 s, memory measured
//   -- --cluster         three nodes behind a balancer, with PostgreSQL and NATS, 300 clients
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const names = ['minutes', 'faults', 'seed', 'store', 'clients', 'only', 'every'];
const { values } = parseArgs({
  options: { ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])), cluster: { type: 'boolean' } },
});
const { cluster = false, ...options } = values;
for (const name of ['store', 'every']) {
  if (cluster && options[name] !== undefined) fail(`--${name} is not for --cluster.`);
}
for (const name of ['minutes', 'faults', 'seed', 'clients', 'every']) {
  if (options[name] !== undefined && !(Number(options[name]) > 0)) fail(`--${name} takes a number above 0.`);
}
const stores = ['sqlite', 'postgres', 'both'];
if (!stores.includes(options.store ?? 'both')) fail(`--store takes one of ${stores.join(', ')}.`);
const file = cluster ? 'test/chaos/cluster/cluster.spec.ts' : 'test/chaos/chaos.spec.ts';
const { status } = spawnSync(process.execPath, ['scripts/soak-test.js', file], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, TIDINGS_CHAOS: JSON.stringify(options) },
  stdio: 'inherit',
});
process.exit(status ?? 1);

function fail(message) {
  console.error(message);
  process.exit(2);
}
