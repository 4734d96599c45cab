// One `resources/read` through the hub, with and without the audit log. Later writes in batches count too.
import { interleave } from '../interleave.js';
import { withRigs } from './with-rigs.js';

export const audit = {
  title: () => 'CPU of one resources/read through the hub, audited',
  unit: 'µs',
  columns: ['audited', 'unaudited'],
  comparisons: [{ of: 'audited', over: 'unaudited', atMost: 1.05 }],
  measure: ({ reads, runs }) =>
    withRigs(
      { audited: { variant: 'hub', options: {} }, unaudited: { variant: 'hub', options: { audit: false } } },
      (rigs) => interleave(runs, rigs, async (rig) => (await rig.cpuOf(() => rig.read(reads))) / reads),
    ),
};
