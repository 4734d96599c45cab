// The heap of an idle stream. Each stream watches its own URI, which is the harder case for an implementation with an
// index.
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
