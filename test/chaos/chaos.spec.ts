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
    faults: z.coerce.number().optional(),
    seed: z.coerce.number().default(() => Date.now() % 1_000_000),
    store: z.enum(['sqlite', 'postgres', 'both']).default('both'),
    clients: z.coerce.number().default(200),
    only: z.string().optional(),
    every: z.coerce.number().optional(),
  })
  .parse(JSON.parse(process.env['TIDINGS_CHAOS'] ?? '{}'));
const { minutes, faults, seed, store, clients, only, every } = options;
const stores = store === 'both' ? (['sqlite', 'postgres'] as const) : [store];
const say = (text: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

it('every subscriber is right again after every fault', { timeout: (minutes + 15) * 60_000 }, async () => {
  say(`seed ${seed}, ${minutes} minutes, ${clients} clients`);
  const lengthMs = minutes * 60_000;
  // At the same time: most of it is waiting.
  const reports: ChaosReport[] = await Promise.all(
    stores.map((each, index) =>
      chaos({
        store: each,
        // Other faults on the other store.
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
