// `npm run chaos -- --cluster` (scripts/chaos.js says with which options): faults at three nodes behind the balancer,
// at PostgreSQL and at NATS, until the time is over, and a table of how soon every subscriber was right again.
import { loadavg } from 'node:os';
import { expect, it } from 'vitest';
import { chaosOptions, say, sayMissed } from '../options.ts';
import { clusterBars, missed, summary, table } from '../results.ts';
import { clusterChaos } from './run.ts';

const { minutes, faults, seed, clients = 300, only } = chaosOptions;

it(
  'every subscriber is right again after every fault of the cluster',
  { timeout: (minutes + 15) * 60_000 },
  async () => {
    say(`seed ${seed}, ${minutes} minutes, ${clients} clients, three nodes`);
    const lengthMs = minutes * 60_000;
    const report = await clusterChaos({
      seed,
      lengthMs,
      faults,
      calmMs: lengthMs / 20,
      clients,
      paceMs: 1200,
      only,
      say,
    });
    const { results, ledger, told, isRightAtTheEnd } = report;
    const problems = [
      ...missed(results, clusterBars),
      ...ledger.problems,
      ...(isRightAtTheEnd ? [] : ['a subscriber was not right at the end']),
    ];
    const load = loadavg().map((each) => each.toFixed(1));
    const { worstMs } = summary(results);
    say(`\n${table(results)}\nload average ${load.join(' ')}`);
    say(
      `${results.length} rounds survived, ${told} updates delivered, worst time to truth ${(worstMs / 1000).toFixed(1)} s; ` +
        `${ledger.acknowledged} acknowledged writes, ${ledger.occurrences} occurrences sent`,
    );
    sayMissed(problems, ['--cluster']);
    expect(problems).toEqual([]);
  },
);
