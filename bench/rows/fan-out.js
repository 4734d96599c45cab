// The delivery of one change, or of several in one tick, to a thousand streams.
import { interleave } from '../interleave.js';
import { firstItems } from '../items.js';
import { oneByOne } from './one-by-one.js';
import { withRigs } from './with-rigs.js';

/** Enough for a measurement in both rows, without taking long. */
const updatesPerStream = 20;

export const fanOut = {
  title: ({ streams }) => `CPU per delivered update, ${streams} streams on one URI`,
  unit: 'µs',
  comparisons: [
    { of: 'kit', over: 'bare', atMost: 1.1 },
    { of: 'kit', over: 'sdk', atMost: 0.5 },
  ],
  measure: (sizes) => cpuPerUpdate(sizes, firstItems(1)),
};

export const fanOutOfFive = {
  title: () => 'the same, five URIs changing in one tick',
  unit: 'µs',
  comparisons: [
    { of: 'kit', over: 'bare', atMost: 0.7 },
    { of: 'kit', over: 'sdk' },
  ],
  measure: (sizes) => cpuPerUpdate(sizes, firstItems(5)),
};

async function cpuPerUpdate({ streams, runs }, items) {
  const plan = { options: oneByOne, interests: Array.from({ length: streams }, () => items) };
  return withRigs({ kit: plan, bare: plan, sdk: plan }, (rigs) =>
    interleave(runs, rigs, async (rig) => {
      const rounds = Math.max(10, updatesPerStream / items.length);
      const cpu = await rig.cpuOf(async () => {
        for (let round = 0; round < rounds; round += 1) {
          await rig.deliver([items]);
        }
      });
      return cpu / (rounds * streams * items.length);
    }),
  );
}
