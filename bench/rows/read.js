// One `resources/read` of a server that also has thirty tools.
import { interleave } from '../interleave.js';
import { withRigs } from './with-rigs.js';

export const read = {
  title: () => 'CPU of one resources/read',
  unit: 'µs',
  comparisons: [
    { of: 'kit', over: 'sdk', atMost: 0.2 },
    { of: 'kit', over: 'bare', atMost: 2 },
  ],
  measure: ({ reads, runs }) =>
    withRigs({ kit: {}, bare: {}, sdk: {} }, (rigs) =>
      interleave(runs, rigs, async (rig) => (await rig.cpuOf(() => rig.read(reads))) / reads),
    ),
};
