// `npm run chaos` (scripts/chaos.js says with which options): faults at servers of every kind and at the hub, on
// SQLite and on PostgreSQL, until the time is over, and a table of how soon every subscriber was right again.
import { loadavg } from 'node:os';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { chaos, type ChaosReport } from './chaos.ts';
import { missed, table } from './results.ts';
import { grown } from './growth.ts';

const options = z
  .object({
    minutes: z.coerce.number().default(5),
    seed: z.coerce.number().default(() => Date.now() % 1_000_000),
    store: z.enum(['sqlite', 'postgres', 'both']).default('both'),
    clients: z.coerce.number().default(200),
    only: z.string().optional(),
    every: z.coerce.number().optional(),
  })
  .parse(JSON.parse(process.env['TIDINGS_CHAOS'] ?? '{}'));
const { minutes, seed, store, clients, only, every } = options;
const stores = store === 'both' ? (['sqlite', 'postgres'] as const) : [store];
const say = (text: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

it('every subscriber is right again after every fault', { timeout: (minutes + 15) * 60_000 }, async () => {
  say(`seed ${seed}, ${minutes} minutes, ${clients} clients`);
  const reports: ChaosReport[] = [];
  const lengthMs = (minutes * 60_000) / stores.length;
  for (const [index, each] of stores.entries()) {
    reports.push(
      await chaos({
        store: each,
        // Other faults on the other store.
        seed: seed + index / 2,
        lengthMs,
        calmMs: lengthMs / 10,
        clients,
        paceMs: 1200,
        only,
        everyMs: every === undefined ? undefined : every * 1000,
        say,
      }),
    );
  }
  const results = reports.flatMap((report) => report.results);
  const problems = [
    ...missed(results),
    ...reports.flatMap(({ uses }) => (every === undefined ? [] : grown(uses, say))),
    ...reports.filter(({ isRightAtTheEnd }) => !isRightAtTheEnd).map(() => 'a subscriber was not right at the end'),
  ];
  say(
    `\n${table(results)}\nload average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
  const again = Object.entries({ ...options, seed }).map(([name, value]) => `--${name} ${JSON.stringify(value)}`);
  if (problems.length > 0) say(`MISSED: ${problems.join('; ')}\nTo see it again: npm run chaos -- ${again.join(' ')}`);
  expect(problems).toEqual([]);
});
