// A client that stops reading while its resource changes, once per turn of the event loop and without a window, so that
// only the full socket delays updates.
import { firstItems } from '../items.js';
import { oneByOne } from './one-by-one.js';
import { withRigs } from './with-rigs.js';

const warmUp = 2000;
const megabyte = 1024 * 1024;

export const stalled = {
  title: ({ stalledUpdates }) => `heap a stalled stream adds in ${stalledUpdates} updates`,
  unit: 'MB',
  comparisons: [{ of: 'kit', atMost: 1 }],
  async measure({ stalledUpdates }) {
    const plan = { options: oneByOne, interests: [firstItems(1)] };
    const samples = {};
    for (const variant of ['kit', 'bare', 'sdk']) {
      const megabytes = await withRigs({ [variant]: plan }, async ({ [variant]: rig }) => {
        await rig.deliver([firstItems(1)], warmUp);
        const before = await rig.heap();
        await rig.stall();
        await rig.change([firstItems(1)], stalledUpdates);
        const after = await rig.heap();
        if (variant === 'kit') await assertStalledAndCaughtUp(rig, warmUp + stalledUpdates);
        return (sum(after) - sum(before)) / megabyte;
      });
      samples[variant] = [megabytes];
    }
    return samples;
  },
};

async function assertStalledAndCaughtUp(rig, updates) {
  const written = await rig.catchUp();
  if (written >= updates) throw new Error('The stream did not stall: every update was written.');
  // The change that was pending during the stall, and one more, both arrive.
  await rig.change([firstItems(1)]);
  const atTheEnd = await rig.catchUp();
  if (atTheEnd < written + 1) throw new Error('A stalled stream got no update after it drained.');
}

function sum({ heapUsed, external }) {
  return heapUsed + external;
}
