// `npm run chaos` (options: scripts/chaos.js): injects faults at servers of every kind and at the hub, on SQLite and on
// PostgreSQL, until the time is over, and prints a table of how long subscribers took to be up to date again.
import { loadavg } from 'node:os';
import { expect, it } from 'vitest';
import { chaos, type ChaosReport } from './chaos.ts';
import { chaosOptions, say, sayMissed } from './options.ts';
import { missed, table } from './results.ts';
import { grown } from './growth.ts';

const { minutes, faults, seed, store, clients = 200, only, every } = chaosOptions;
const stores = store === 'both' ? (['sqlite', 'postgres'] as const) : [store];

it('every subscriber is up to date again after every fault', { timeout: (minutes + 15) * 60_000 }, async () => {
  say(`seed ${seed}, ${minutes} minutes, ${clients} clients`);
  const lengthMs = minutes * 60_000;
  // Both stores at the same time: a run mostly waits.
  const reports: ChaosReport[] = await Promise.all(
    stores.map((each, index) =>
      chaos({
        store: each,
        // Another order of faults on each store.
        seed: seed + index / 2,
        lengthMs,
        faults: faults === undefined ? undefined : Math.ceil(faults / stores.length),
        calmMs: lengthMs / 10,
        clients: clients / stores.length,
        paceMs: 1200,
        only,
        everyMs: every === undefined ? undefined : every * 1000,
        say: (text) => say(`${each}: ${text}`),
      }),
    ),
  );
  const results = reports.flatMap((report) => report.results);
  const problems = [
    ...missed(results),
    ...reports.flatMap((report) => (every === undefined ? [] : grown(report, say))),
    ...reports
      .filter(({ isRightAtTheEnd }) => !isRightAtTheEnd)
      .map(() => 'a subscriber was not up to date at the end'),
  ];
  say(
    `\n${table(results)}\nload average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
  sayMissed(problems);
  expect(problems).toEqual([]);
});
