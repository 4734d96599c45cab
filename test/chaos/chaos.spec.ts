// `npm run chaos -- --minutes N --seed S [--only FAULT] [--subscribers N]`: faults at servers of every kind behind
// a hub, until the time is over, and a table of how soon every subscriber was right again.
import { expect, it } from 'vitest';
import { runningHub } from '../hub/running-hub.ts';
import { Oracle } from './oracle.ts';
import { type Result, describe as describeResults, summary, table } from './results.ts';
import { run } from './run.ts';
import { allFaults, startSubscribers, startUpstreams } from './scene.ts';
import { seededRandom } from './seeded-random.ts';

const minutes = Number(process.env['TIDINGS_CHAOS_MINUTES'] ?? 1);
const seed = Number(process.env['TIDINGS_CHAOS_SEED'] ?? Date.now() % 1_000_000);
const only = process.env['TIDINGS_CHAOS_ONLY'];
const each = Number(process.env['TIDINGS_CHAOS_SUBSCRIBERS'] ?? 2);

it(
  'every subscriber is right again after every fault',
  async () => {
    await using upstreams = together(await startUpstreams());
    await using hub = await runningHub({ servers: upstreams.all.map(({ entry }) => entry) });
    await hub.isLive(...upstreams.all.map(({ id }) => id));
    await using subscribers = together(await startSubscribers(hub.url, upstreams.all, each));
    const oracle = new Oracle(subscribers.all);
    for (const upstream of upstreams.all) expect(await oracle.timeToTruth(upstream, 20_000)).toBeDefined();
    const results: Result[] = [];
    const until = performance.now() + minutes * 60_000;
    await run({
      upstreams: upstreams.all,
      faults: allFaults.filter(({ name }) => only === undefined || name === only),
      oracle,
      random: seededRandom(seed),
      goesOn: () => performance.now() < until,
      report: (result) => {
        results.push(result);
        if (result.ms === undefined || result.ms > 5000) console.log('slow:', JSON.stringify(result));
      },
    });
    console.log(`seed ${seed}\n${table(results)}\n${describeResults(results)}`);
    expect(summary(results)).toMatchObject({ stale: 0, lost: 0 });
  },
  (minutes + 4) * 60_000,
);

function together<T extends AsyncDisposable>(all: readonly T[]) {
  return {
    all,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
    },
  };
}
