// What an open stream weighs while nothing happens. Each watches a URI of its own, which is the
// heavier case for an implementation that keeps an index.
import { withRigs } from './with-rigs.js';

const alreadyOpen = 100;

export const idleHeap = {
  title: ({ idleStreams }) => `heap per idle stream (${idleStreams} streams)`,
  unit: 'KB',
  comparisons: [
    { of: 'kit', over: 'bare', atMost: 1.25 },
    { of: 'kit', over: 'sdk', atMost: 0.6 },
  ],
  async measure({ idleStreams, heapRuns }) {
    const samples = { kit: [], bare: [], sdk: [] };
    const plan = { interests: interestsOf(0, alreadyOpen) };
    for (let run = 0; run < heapRuns; run += 1) {
      for (const variant of Object.keys(samples)) {
        const bytes = await withRigs({ [variant]: plan }, async ({ [variant]: rig }) => {
          const before = await rig.heap();
          await rig.open(interestsOf(alreadyOpen, idleStreams));
          const after = await rig.heap();
          return after.heapUsed - before.heapUsed;
        });
        samples[variant].push(bytes / idleStreams / 1024);
      }
    }
    return samples;
  },
};

function interestsOf(first, streams) {
  return Array.from({ length: streams }, (_, index) => [first + index]);
}
