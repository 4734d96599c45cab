// `npm run chaos -- --cluster` (options: scripts/chaos.js): injects faults at three nodes behind the balancer, at
// PostgreSQL and at NATS, until the time is over, and prints a table of how long subscribers took to be up to date
// again.
import { loadavg } from 'node:os';
import { expect, it } from 'vitest';
import { chaosOptions, say, sayMissed } from '../options.ts';
import { clusterBars, missed, summary, table } from '../results.ts';
import { clusterChaos } from './run.ts';

const { minutes, faults, seed, clients = 300, only } = chaosOptions;

it(
  'every subscriber is up to date again after every fault of the cluster',
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
    const { results, ledger, notified, isRightAtTheEnd } = report;
    const problems = [
      ...missed(results, clusterBars),
      ...ledger.problems,
      ...(isRightAtTheEnd ? [] : ['a subscriber was not right at the end']),
    ];
    const load = loadavg().map((each) => each.toFixed(1));
    const { worstMs } = summary(results);
    say(`\n${table(results)}\nload average ${load.join(' ')}`);
    say(
      `${results.length} rounds survived, ${notified} updates delivered, worst recovery ${(worstMs / 1000).toFixed(1)} s; ` +
        `${ledger.acknowledged} acknowledged writes, ${ledger.occurrences} occurrences sent`,
    );
    sayMissed(problems, ['--cluster']);
    expect(problems).toEqual([]);
  },
);
