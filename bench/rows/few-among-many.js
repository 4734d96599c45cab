// A change with five subscribers, among few and among many other streams. Every URI has five subscribers; twenty URIs,
// spread over all of them, change one after the other.
import { interleave } from '../interleave.js';
import { firstItems } from '../items.js';
import { oneByOne } from './one-by-one.js';
import { withRigs } from './with-rigs.js';

const watchers = 5;
const changing = 20;
const few = watchers * changing;
// The SDK's handler is so much slower that it gets fewer changes.
const timesPerRun = { kit: 150, kitAmongFew: 150, bare: 150, sdk: 5 };

export const fewAmongMany = {
  title: ({ manyStreams }) => `CPU of a change with ${watchers} subscribers among ${manyStreams} streams`,
  unit: 'µs',
  comparisons: [
    { of: 'kit', over: 'kitAmongFew', atMost: 1.2 },
    { of: 'sdk', over: 'kit', atLeast: 25 },
    { of: 'kit', over: 'bare' },
  ],
  async measure({ manyStreams, runs }) {
    const many = { options: oneByOne, interests: interestsOf(manyStreams) };
    const plans = {
      kit: many,
      kitAmongFew: { ...many, variant: 'kit', interests: interestsOf(few) },
      bare: many,
      sdk: many,
    };
    return withRigs(plans, (rigs) =>
      interleave(runs, rigs, async (rig, name) => {
        const ticks = changingAmong(name === 'kitAmongFew' ? few : manyStreams);
        const cpu = await rig.cpuOf(() => rig.deliver(ticks, timesPerRun[name]));
        return cpu / (timesPerRun[name] * changing);
      }),
    );
  },
};

function interestsOf(streams) {
  return Array.from({ length: streams }, (_, index) => [Math.floor(index / watchers)]);
}

/** One item per tick. */
function changingAmong(streams) {
  const stride = Math.floor(streams / watchers / changing);
  return firstItems(changing).map((index) => [index * stride]);
}
